import { data } from "react-router";

import { sealDrawing } from "#app/features/shell/seal-drawing.ts";
import { requestContext, services } from "#app/services/http/context.ts";
import { fileLoader, plainTextResponse, rejectWrites } from "#app/services/http/file-route.server.ts";
import { rasterizeTask } from "#app/services/images/sharp.server.ts";
import type { WorkerPool } from "#app/services/workers/worker-pool.server.ts";

import type { Route } from "./+types/icon-route.ts";
import { encodeIco, iconFiles, iconSvg } from "./icon-files.ts";
import type { IconFile } from "./icon-files.ts";

export { rejectWrites as action };

/** An icon file, drawn on the first request and cached. */
export const loader = fileLoader(async ({ request, context, url }: Route.LoaderArgs) => {
  const file = iconFiles.find(({ path }) => path === url.pathname);
  if (!file) throw data(null, { status: 404 });
  const { imageCache, workers } = services(context);
  const wish = { kind: "icon", content: [file, iconSvg(sealDrawing, file.shape)] };
  const etag = imageCache.etagOf(wish);
  const headers = {
    etag,
    "cache-control": url.searchParams.has("v")
      ? `public, max-age=${yearSeconds}, immutable`
      : `public, max-age=${weekSeconds}`,
  };
  if (request.headers.get("if-none-match")?.includes(etag)) return new Response(null, { status: 304, headers });
  const made = await imageCache.get({
    ...wish,
    ownerId: "site",
    requestedBy: context.get(requestContext).address,
    draw: async () => ({ body: new Uint8Array(await drawIcon(workers, file)), type: file.type }),
  });
  if (made === "busy")
    return plainTextResponse("Try again in a moment.", { status: 503, headers: { "retry-after": "3" } });
  return new Response(made.body, { headers: { ...headers, "content-type": made.type } });
});

const weekSeconds = 7 * 86_400;
const yearSeconds = 365 * 86_400;

async function drawIcon(workers: WorkerPool, { shape, sides }: IconFile): Promise<Uint8Array> {
  const svg = iconSvg(sealDrawing, shape);
  const [side] = sides;
  if (side === undefined) return new TextEncoder().encode(svg);
  const sized = await Promise.all(
    sides.map(async (width) => ({ side: width, png: await workers.run(rasterizeTask, { svg, width }) })),
  );
  return sides.length > 1 ? encodeIco(sized) : (sized[0]?.png ?? new Uint8Array());
}
