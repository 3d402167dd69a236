import type { RouterContextProvider } from "react-router";

import { requestFacts, services, viewer } from "#app/services/context.ts";

/** What a loader is called with, as far as a picture depends on it. */
export type Asked = { request: Request; url: URL; context: Readonly<RouterContextProvider> };

type Drawing = {
  ownerId: string;
  /** What kind of picture, with a number that goes up when its drawing changes. */
  kind: string;
  /** All that can be seen on it. */
  shows: unknown;
  type: string;
  draw: () => Promise<Uint8Array>;
  /** The name under which it is saved; left out: it is looked at. */
  filename?: string;
  /** One person's alone: no cache keeps it. */
  isPrivate?: boolean;
};

/**
 * A picture as an answer, made once and kept. With `?v=` in its address it may be kept for an hour, and no longer: what it
 * shows then has another `v`, but a card may be paused. Without, whoever has it asks whether it is still so. 503 while too many others are being made.
 */
export async function pictureResponse(asked: Asked, drawing: Drawing): Promise<Response> {
  const { pictures } = services(asked.context);
  const { ownerId, kind, shows, type, filename } = drawing;
  const etag = pictures.etagOf({ kind, shows });
  // A form of the page, and nothing that should be found beside it or without it.
  const headers: Record<string, string> = {
    etag,
    "cache-control": cacheControl(asked, drawing),
    "x-robots-tag": "noindex",
  };
  if (asked.request.headers.get("if-none-match")?.includes(etag)) return new Response(null, { status: 304, headers });
  const picture = await pictures.make({
    ownerId,
    askedBy: asked.context.get(requestFacts).address,
    kind,
    shows,
    draw: async () => ({ body: new Uint8Array(await drawing.draw()), type }),
  });
  if (picture === "busy") {
    return new Response("Too many pictures are being made right now. Try again in a moment.", {
      status: 503,
      headers: { "retry-after": "3", "cache-control": "no-store", "content-type": "text/plain; charset=utf-8" },
    });
  }
  return new Response(picture.body, {
    headers: {
      ...headers,
      "content-type": type,
      "content-length": String(picture.body.byteLength),
      ...(filename && { "content-disposition": `attachment; filename="${filename}"` }),
    },
  });
}

const hour = 3_600;

function cacheControl({ url, context }: Asked, { isPrivate }: Drawing): string {
  if (isPrivate) return "private, no-cache";
  // A signed-in person's answer may carry their cookie: no proxy may keep it.
  if (url.searchParams.has("v")) return `${viewer(context) ? "private" : "public"}, max-age=${hour}`;
  return "no-cache";
}
