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
  /**
   * The same for a part of several images, such as a background, to be called while one of them is drawn: it waits in no queue. Saves don't drop
   * it, so `content` must name all that it shows.
   */
  getPart: (request: PartRequest) => Promise<Uint8Array<ArrayBuffer>>;
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
  /** "long" for what many people ask for at the same moment, such as the passes of a conference: more may wait, also of one network. */
  queue?: "usual" | "long";
};

type PartRequest = Pick<ImageRequest, "kind" | "content"> & { draw: () => Promise<Uint8Array<ArrayBuffer>> };

type ImageCacheOptions = {
  events: Pick<Events, "subscribe">;
  maxBytes?: number;
  maxWaiting?: number;
};

/** Draws images on request and keeps them in memory by their content. A save drops the owner's images. */
export function createImageCache({ events, maxBytes = 64_000_000, maxWaiting = 60 }: ImageCacheOptions): ImageCache {
  const images = new LRUCache<string, CachedImage>({ maxSize: maxBytes, sizeCalculation: sizeOf });
  const drawings = new Map<string, Promise<CachedImage | "busy">>();
  const parts = new Map<string, Promise<Uint8Array<ArrayBuffer>>>();
  /** Keys of images whose owner saved while they were being drawn. */
  const outdated = new Set<string>();
  const queues = {
    usual: createFairQueue({ concurrency: 2, maxWaiting, maxWaitingPerOwner: 8 }),
    long: createFairQueue({ concurrency: 2, maxWaiting: 500, maxWaitingPerOwner: 300 }),
  };

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
      const result = await queues[request.queue ?? "usual"](networkOf(request.requestedBy), request.draw);
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

  async function getPart({ draw: drawPart, ...request }: PartRequest) {
    const etag = etagOf(request);
    const key = `${partOwner} ${etag}`;
    const available = images.get(key)?.body ?? parts.get(key);
    if (available) return available;
    const drawing = drawPart().finally(() => parts.delete(key));
    parts.set(key, drawing);
    const body = await drawing;
    images.set(key, { body, type: "", etag });
    return body;
  }

  return { get, getPart, etagOf, size: () => images.calculatedSize };
}

/** The id of no owner. */
const partOwner = "parts";

function etagOf({ kind, content }: Pick<ImageRequest, "kind" | "content">): string {
  const hash = createHash("sha256").update(JSON.stringify([kind, content]));
  return `"${hash.digest("base64url").slice(0, 22)}"`;
}

/** Includes what the engine needs for each entry: a QR code of 75 bytes takes more than a kilobyte. */
function sizeOf({ body }: CachedImage): number {
  return body.byteLength + overheadBytes;
}

const overheadBytes = 2_000;
