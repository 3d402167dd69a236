import { createHash } from "node:crypto";

import { LRUCache } from "lru-cache";

import { createFairQueue } from "#app/services/base/fair-queue.ts";
import { pageEventKinds } from "#app/services/events/event.ts";
import type { Events } from "#app/services/events/events.server.ts";
import { networkOf } from "#app/services/http/rate-limits.server.ts";

/** A finished file with its ETag. */
export type CachedImage = { body: Uint8Array<ArrayBuffer>; type: string; etag: string };

export type ImageCache = {
  /**
   * Returns the image from memory or draws it. Requests for an image that is being drawn wait for it; when `draw` throws, all of them get
   * the error. "busy": too many images are waiting to be drawn.
   */
  get: (request: ImageRequest) => Promise<CachedImage | "busy">;
  /** The ETag of an image, known before it is drawn. */
  etagOf: (request: Pick<ImageRequest, "kind" | "content">) => string;
  /** In bytes. */
  size: () => number;
};

type ImageRequest = {
  ownerId: string;
  /** The client's network address: one network can't fill the queue. Never stored. */
  requestedBy: string;
  /** "preview", "qr" …, with a number that goes up when the drawing code changes: "preview 2". */
  kind: string;
  /** Everything that the image shows, as plain data. */
  content: unknown;
  draw: () => Promise<{ body: Uint8Array<ArrayBuffer>; type: string }>;
};

type ImageCacheOptions = {
  events: Pick<Events, "subscribe">;
  maxBytes?: number;
  maxWaiting?: number;
};

/** Draws images on request and keeps them in memory by their content. A save drops the owner's images. */
export function createImageCache({ events, maxBytes = 64_000_000, maxWaiting = 60 }: ImageCacheOptions): ImageCache {
  const images = new LRUCache<string, CachedImage>({ maxSize: maxBytes, sizeCalculation: sizeOf });
  const drawings = new Map<string, Promise<CachedImage | "busy">>();
  /** Keys of images whose owner saved while they were being drawn. */
  const outdated = new Set<string>();
  const runInQueue = createFairQueue({ concurrency: 2, maxWaiting, maxWaitingPerOwner: 8 });

  function drop(prefix: string) {
    for (const key of Array.from(images.keys())) if (key.startsWith(prefix)) images.delete(key);
    for (const key of drawings.keys()) if (key.startsWith(prefix)) outdated.add(key);
  }
  events.subscribe({
    name: "image-cache",
    kinds: pageEventKinds,
    everywhere: ({ ownerId }) => drop(`${ownerId} `),
    missed: () => drop(""),
  });

  async function draw(key: string, request: ImageRequest, etag: string): Promise<CachedImage | "busy"> {
    try {
      const result = await runInQueue(networkOf(request.requestedBy), request.draw);
      if (result === "busy") return result;
      const image = { ...result, etag };
      if (!outdated.has(key)) images.set(key, image);
      return image;
    } finally {
      drawings.delete(key);
      outdated.delete(key);
    }
  }

  async function get(request: ImageRequest) {
    const etag = etagOf(request);
    const key = `${request.ownerId} ${etag}`;
    const available = images.get(key) ?? drawings.get(key);
    if (available) return available;
    const drawing = draw(key, request, etag);
    drawings.set(key, drawing);
    return drawing;
  }

  return { get, etagOf, size: () => images.calculatedSize };
}

function etagOf({ kind, content }: Pick<ImageRequest, "kind" | "content">): string {
  const hash = createHash("sha256").update(JSON.stringify([kind, content]));
  return `"${hash.digest("base64url").slice(0, 22)}"`;
}

/** Includes what the engine needs for each entry: a QR code of 75 bytes takes more than a kilobyte. */
function sizeOf({ body }: CachedImage): number {
  return body.byteLength + overheadBytes;
}

const overheadBytes = 2_000;
