import { createHash } from "node:crypto";

import type { Services } from "#app/services/context.ts";
import { rasterise } from "#app/services/rasterise.server.ts";

import type { AvatarForm } from "./address.ts";
import { drawAvatar } from "./drawing.ts";
import { usualPngSize } from "./rules.ts";
import type { AvatarOptions } from "./rules.ts";

type Asked = {
  options: AvatarOptions;
  form: AvatarForm;
  /** The If-None-Match of who has it already. */
  known: string | null;
  /** The network address of who asks. */
  askedBy: string;
  /** Whether a cache on the way may keep it for others. */
  isShared: boolean;
};

/**
 * The face in this form. A PNG is made once and kept with the other pictures, few at a time: 503 while too many wait. A drawing takes
 * a third of a millisecond, less than looking for it would save, so it is drawn each time. With `randomizeIds` no two are alike, and
 * nobody keeps it.
 */
export async function avatarAnswer(
  { pictures }: Pick<Services, "pictures">,
  { options, form, known, isShared, askedBy }: Asked,
): Promise<Response> {
  const etag = etagOf(options, form);
  const headers: Record<string, string> = options.randomizeIds
    ? { "cache-control": "no-store" }
    : { "cache-control": `${isShared ? "public" : "private"}, max-age=${day}`, etag };
  if (!options.randomizeIds && known?.includes(etag)) return new Response(null, { status: 304, headers });
  if (form !== "png") return drawn(options, form, headers);
  // A PNG has no ids: what would be random is not in it.
  const shown = { ...options, randomizeIds: false };
  const picture = await pictures.make({ ownerId: "avatar", askedBy, kind, shows: shown, draw: () => drawPng(shown) });
  if (picture === "busy") return busy();
  return new Response(picture.body, {
    headers: { ...headers, "content-type": "image/png", "content-length": String(picture.body.byteLength) },
  });
}

const day = 86_400;
/** The number goes up when faces are drawn in another way. */
const kind = "avatar 1";

function etagOf(options: AvatarOptions, form: AvatarForm): string {
  const hash = createHash("sha256").update(JSON.stringify([kind, form, options]));
  return `"${hash.digest("base64url").slice(0, 22)}"`;
}

function drawn(options: AvatarOptions, form: "svg" | "json", headers: Record<string, string>): Response {
  const drawing = drawAvatar(options);
  if (form === "json") return Response.json(drawing, { headers });
  return new Response(drawing.svg, {
    headers: {
      ...headers,
      "content-type": "image/svg+xml; charset=utf-8",
      // Opened as a page it is one: nothing in it may run or load.
      "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    },
  });
}

async function drawPng(options: AvatarOptions) {
  const png = await rasterise(drawAvatar(options).svg, { width: options.size ?? usualPngSize });
  return { body: new Uint8Array(png), type: "image/png" };
}

function busy(): Response {
  return new Response("Too many pictures are being made right now. Try again in a moment.", {
    status: 503,
    headers: { "retry-after": "3", "cache-control": "no-store", "content-type": "text/plain; charset=utf-8" },
  });
}
