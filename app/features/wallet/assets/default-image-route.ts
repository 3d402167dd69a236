import { data } from "react-router";

import { passBackgroundVariants, publicContentType } from "#app/features/uploads/image-urls.ts";
import { bearerToken } from "#app/services/features/function-route.server.ts";
import { requestContext, services, viewer } from "#app/services/http/context.ts";
import { busyResponse, fileLoader, rejectWrites } from "#app/services/http/file-route.server.ts";

import type { Route } from "./+types/default-image-route.ts";
import { drawBackgroundTask } from "./background-tasks.server.ts";
import { drawDefaultImage } from "./default-image-drawing.ts";
import { drawingVersion, passBackgroundSize, smallBackgroundSize } from "./default-image-model.ts";

export { rejectWrites as action };

/**
 * `/pass-images/washi.jpg`: one of our backgrounds, drawn when it is first requested. `washi-small.jpg` is its thumbnail. `tint=3a5f8c` draws
 * it under a tint, for signed-in users only: every color is an image of its own to draw and to keep in memory.
 */
export const loader = fileLoader(async ({ params, context, request, url }: Route.LoaderArgs) => {
  const [, id = "", small] = /^([a-z]+)(-small)?\.jpg$/.exec(params.file) ?? [];
  const key = id === "upload" && !small ? (url.searchParams.get("key") ?? "") : undefined;
  const svg = key === undefined ? drawDefaultImage(id) : undefined;
  const path = key === undefined ? undefined : findUpload(key);
  const color = url.searchParams.get("tint") ?? "";
  if ((svg === undefined && path === undefined) || !/^(?:[\da-f]{6})?$/.test(color)) throw data(null, { status: 404 });
  const { auth, files, imageCache, workers, rateLimits } = services(context);
  // The programs that tint-image gives an address to have a token.
  const token = bearerToken(request.headers);
  const user = token === undefined ? viewer(context) : await auth.findBearer(token);
  if (color !== "") {
    if (!user) throw data(null, { status: 404 });
    if (await rateLimits.consume([{ limit: tintsOfAccount, subject: user.id }])) return busyResponse();
  }
  const { width } = small ? smallBackgroundSize : passBackgroundSize;
  const tint = color && `#${color}`;
  const kind = `pass background ${drawingVersion}`;
  const content = { id, width, tint, path };
  const etag = imageCache.etagOf({ kind, content });
  const headers = {
    etag,
    // A response to a signed-in user may set their cookie.
    "cache-control": `${user ? "private" : "public"}, max-age=${yearSeconds}, immutable`,
  };
  if (request.headers.get("if-none-match")?.includes(etag)) return new Response(null, { status: 304, headers });
  const image = await imageCache.get({
    ownerId: "pass backgrounds",
    requestedBy: user?.id ?? context.get(requestContext).address,
    kind,
    content,
    draw: async () => {
      const source = svg ?? (path && (await files.read(path)));
      if (!source) throw data(null, { status: 404 });
      const body = await workers.run(drawBackgroundTask, { source, tint, width });
      return { body: new Uint8Array(body), type: "image/jpeg" };
    },
  });
  if (image === "busy") return busyResponse();
  return new Response(image.body, {
    headers: { ...headers, "content-type": image.type, "content-length": String(image.body.byteLength) },
  });
});

/** The path of an uploaded background, which is public; undefined for every other file. */
function findUpload(key: string): string | undefined {
  const path = key + passBackgroundVariants.jpeg;
  return /^pass-assets\/[^/]+\/backgrounds\//.test(path) && publicContentType(path) !== undefined ? path : undefined;
}

const tintsOfAccount = { name: "tinted backgrounds of an account", max: 300, windowMs: 60 * 60_000 };
const yearSeconds = 31_536_000;
