import type { RouterContextProvider } from "react-router";

import { requestContext, services, viewer } from "#app/services/http/context.ts";
import { busyResponse } from "#app/services/http/file-route.server.ts";

/** The arguments of a loader that an image response depends on. */
export type ImageRequest = { request: Request; url: URL; context: Readonly<RouterContextProvider> };

type ImageOptions = {
  ownerId: string;
  /** The kind of image, with a number that is incremented when its drawing changes. */
  kind: string;
  /** Everything visible on it. */
  content: unknown;
  type: string;
  draw: () => Promise<Uint8Array>;
  /** The file name for a download; without one the image is displayed. */
  filename?: string;
  /** For its owner only: not stored by shared caches. */
  isPrivate?: boolean;
};

/**
 * Responds with a generated image from the image cache; draws it if necessary. With `?v=` in its URL browsers may cache it for an hour, and
 * no longer: a changed image has another `v`, but a card may be paused. Without, they revalidate it. Responds with 503 while too many
 * images are being drawn.
 */
export async function imageResponse(request: ImageRequest, options: ImageOptions): Promise<Response> {
  const { imageCache } = services(request.context);
  const { ownerId, kind, content, type, filename } = options;
  const etag = imageCache.etagOf({ kind, content });
  const headers: Record<string, string> = {
    etag,
    "cache-control": cacheControl(request, options),
    // The image belongs to its page, and shouldn't be listed on its own.
    "x-robots-tag": "noindex",
  };
  if (request.request.headers.get("if-none-match")?.includes(etag)) {
    return new Response(null, { status: 304, headers });
  }
  const image = await imageCache.get({
    ownerId,
    requestedBy: request.context.get(requestContext).address,
    kind,
    content,
    draw: async () => ({ body: new Uint8Array(await options.draw()), type }),
  });
  if (image === "busy") return busyResponse();
  return new Response(image.body, {
    headers: {
      ...headers,
      "content-type": type,
      "content-length": String(image.body.byteLength),
      ...(filename && { "content-disposition": `attachment; filename="${filename}"` }),
    },
  });
}

const hourSeconds = 3_600;

function cacheControl({ url, context }: ImageRequest, { isPrivate, type }: ImageOptions): string {
  if (type === "application/pdf") return "no-store";
  if (isPrivate) return "private, no-cache";
  // A response to a signed-in user may set their cookie: shared caches must not store it.
  if (url.searchParams.has("v")) return `${viewer(context) ? "private" : "public"}, max-age=${hourSeconds}`;
  return "no-cache";
}
