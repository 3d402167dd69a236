import { data } from "react-router";

import { sealDrawing } from "#app/features/sharing/seal-drawing.ts";
import { requestFacts, services } from "#app/services/context.ts";
import { fileLoader, plainText, refuseWrites } from "#app/services/file-route.server.ts";
import { rasterise } from "#app/services/rasterise.server.ts";

import type { Route } from "./+types/icon-route.ts";
import { icoFile } from "./ico-file.ts";
import { iconSvg } from "./icon-drawing.ts";
import { iconFiles } from "./icon-files.ts";
import type { IconFile } from "./icon-files.ts";

export { refuseWrites as action };

/** The seal as a file, drawn at the first ask and kept. */
export const loader = fileLoader(async ({ request, context, url }: Route.LoaderArgs) => {
  const file = iconFiles.find(({ path }) => path === url.pathname);
  if (!file) throw data(null, { status: 404 });
  const { pictures } = services(context);
  const wish = { kind: "icon", shows: [file, iconSvg(sealDrawing, file.shape)] };
  const etag = pictures.etagOf(wish);
  const headers = {
    etag,
    "cache-control": url.searchParams.has("v") ? `public, max-age=${year}, immutable` : `public, max-age=${week}`,
  };
  if (request.headers.get("if-none-match")?.includes(etag)) return new Response(null, { status: 304, headers });
  const made = await pictures.make({
    ...wish,
    ownerId: "site",
    askedBy: context.get(requestFacts).address,
    draw: async () => ({ body: new Uint8Array(await drawn(file)), type: file.type }),
  });
  if (made === "busy") return plainText("Try again in a moment.", { status: 503, headers: { "retry-after": "3" } });
  return new Response(made.body, { headers: { ...headers, "content-type": made.type } });
});

const week = 7 * 86_400;
const year = 365 * 86_400;

async function drawn({ shape, sides }: IconFile): Promise<Uint8Array> {
  const svg = iconSvg(sealDrawing, shape);
  const [side] = sides;
  if (side === undefined) return new TextEncoder().encode(svg);
  const sized = await Promise.all(sides.map(async (width) => ({ side: width, png: await rasterise(svg, { width }) })));
  return sides.length > 1 ? icoFile(sized) : (sized[0]?.png ?? new Uint8Array());
}
