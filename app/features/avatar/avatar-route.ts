import { createHash } from "node:crypto";

import { requestContext, services, viewer } from "#app/services/http/context.ts";
import type { Services } from "#app/services/http/context.ts";
import { busyResponse, plainTextResponse } from "#app/services/http/file-route.server.ts";
import { rasterizeTask } from "#app/services/images/sharp.server.ts";

import type { Route } from "./+types/avatar-route.ts";
import { readAvatarPath } from "./avatar-url.ts";
import type { AvatarFormat } from "./avatar-url.ts";
import { drawAvatar, svgDataUrl } from "./drawing.ts";
import { defaultPngSize } from "./rules.ts";
import type { AvatarOptions } from "./rules.ts";
import { readAvatarQuery } from "./schema.ts";

/** `/avatar/{seed}.svg`, `.json`, `.txt` and `.png`, with options as query parameters. Responds with 400 and a line for each invalid value. */
export async function loader({ request, context, url }: Route.LoaderArgs) {
  // From the raw path: the router would decode "%252F" in a seed to "/".
  const path = readAvatarPath(url.pathname);
  if (!path) return plain(404, "Not found. Avatars are at /avatar/{seed}.svg, .png, .json and .txt (a data URL).");
  const { seed, format } = path;
  const read = readAvatarQuery(seed, url.searchParams, { isPng: format === "png" });
  if ("problems" in read) return plain(400, read.problems.join("\n"));
  return avatarResponse(services(context), {
    options: read.options,
    format,
    requestedBy: context.get(requestContext).address,
    knownEtag: request.headers.get("if-none-match"),
    // A response to a signed-in user may set their cookie.
    isShared: viewer(context) === undefined,
  });
}

function plain(status: number, text: string): Response {
  return plainTextResponse(`${text}\n`, { status });
}

type AvatarRequest = {
  options: AvatarOptions;
  format: AvatarFormat;
  /** The If-None-Match header. */
  knownEtag: string | null;
  /** The network address of the visitor. */
  requestedBy: string;
  /** Whether shared caches may store it. */
  isShared: boolean;
};

/**
 * The avatar in the requested format. A PNG comes from the image cache; 503 while too many are being drawn. An SVG takes a third of a
 * millisecond, so it is drawn each time. With `randomizeIds` each SVG is different, and not cached.
 */
async function avatarResponse(
  { imageCache, workers }: Pick<Services, "imageCache" | "workers">,
  { options, format, knownEtag, isShared, requestedBy }: AvatarRequest,
): Promise<Response> {
  const etag = etagOf(options, format);
  const headers: Record<string, string> = options.randomizeIds
    ? { "cache-control": "no-store" }
    : { "cache-control": `${isShared ? "public" : "private"}, max-age=${daySeconds}`, etag };
  if (!options.randomizeIds && knownEtag?.includes(etag)) return new Response(null, { status: 304, headers });
  if (format !== "png") return drawingResponse(options, format, headers);
  // A PNG has no ids.
  const content = { ...options, randomizeIds: false };
  const image = await imageCache.get({
    ownerId: "avatar",
    requestedBy,
    kind,
    content,
    draw: () => drawPng(workers, content),
  });
  if (image === "busy") return busyResponse();
  return new Response(image.body, {
    headers: { ...headers, "content-type": "image/png", "content-length": String(image.body.byteLength) },
  });
}

const daySeconds = 86_400;
/** The number is incremented when the drawing changes. */
const kind = "avatar 1";

function etagOf(options: AvatarOptions, format: AvatarFormat): string {
  const hash = createHash("sha256").update(JSON.stringify([kind, format, options]));
  return `"${hash.digest("base64url").slice(0, 22)}"`;
}

function drawingResponse(
  options: AvatarOptions,
  format: "svg" | "json" | "txt",
  headers: Record<string, string>,
): Response {
  const drawing = drawAvatar(options);
  if (format === "json") return Response.json(drawing, { headers });
  if (format === "txt") return plainTextResponse(svgDataUrl(drawing), { status: 200, headers });
  return new Response(drawing.svg, {
    headers: {
      ...headers,
      "content-type": "image/svg+xml; charset=utf-8",
      // An SVG that is opened as a page may neither run nor load anything.
      "content-security-policy":
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'; sandbox",
    },
  });
}

async function drawPng(workers: Services["workers"], options: AvatarOptions) {
  const { svg } = drawAvatar(options);
  const png = await workers.run(rasterizeTask, { svg, width: options.size ?? defaultPngSize });
  return { body: new Uint8Array(png), type: "image/png" };
}
