import { createHash } from "node:crypto";

import type { Bus } from "./bus.server.ts";
import { networkOf } from "./network.ts";
import { createLine } from "./pictures-line.server.ts";
import { createShelf, ownerOf } from "./pictures-shelf.server.ts";

/** A finished file with its tag. */
export type Picture = { body: Uint8Array<ArrayBuffer>; type: string; etag: string };

export type Pictures = {
  /**
   * A picture of what `shows` says, from memory or made now. Whoever asks for one that is being made waits for that one. "busy": too
   * many wait already. What `draw` throws, all who wait get.
   */
  make: (wish: Wish) => Promise<Picture | "busy">;
  /** The tag of a wish, known before it is drawn. */
  etagOf: (wish: Pick<Wish, "kind" | "shows">) => string;
  /** In bytes. */
  size: () => number;
  close: () => void;
};

type Wish = {
  ownerId: string;
  /** Who asks, by network address: one of them can't fill the waiting line for all. Never kept. */
  askedBy: string;
  /** "preview", "qr" …; with its number, that goes up when its drawing changes: "preview 2". */
  kind: string;
  /** Everything that can be seen on it: plain data. */
  shows: unknown;
  draw: () => Promise<{ body: Uint8Array<ArrayBuffer>; type: string }>;
};

type Options = {
  bus: Pick<Bus, "subscribe">;
  maxBytes?: number;
  atOnce?: number;
  maxWaiting?: number;
  maxWaitingEach?: number;
};

/**
 * Makes pictures: each once, few at a time, kept in memory by what they show, the longest unused going first. An owner's go
 * when they save, so that no room is kept for what nobody will ask for again.
 */
export function createPictures({ bus, maxBytes = 64_000_000, ...limits }: Options): Pictures {
  const kept = createShelf(maxBytes);
  const underWay = new Map<string, Promise<Picture | "busy">>();
  /** Of pictures under way whose owner saved meanwhile. */
  const outdated = new Set<string>();
  const inTurn = createLine(limits);

  const unsubscribe = bus.subscribe((message) => {
    const ownerId = message.kind === "owner-changed" ? message.ownerId : undefined;
    kept.forgetOf(ownerId);
    for (const key of underWay.keys()) if (ownerId === undefined || ownerOf(key) === ownerId) outdated.add(key);
  });

  async function drawn(key: string, { draw, askedBy }: Wish, etag: string): Promise<Picture | "busy"> {
    try {
      const made = await inTurn(networkOf(askedBy), draw);
      if (made === "busy") return made;
      const picture = { ...made, etag };
      if (!outdated.has(key)) kept.keep(key, picture);
      return picture;
    } finally {
      underWay.delete(key);
      outdated.delete(key);
    }
  }

  return {
    etagOf,
    size: kept.size,
    close: unsubscribe,
    async make(wish) {
      const etag = etagOf(wish);
      const key = `${wish.ownerId} ${etag}`;
      const known = kept.find(key);
      if (known) return known;
      const started = underWay.get(key);
      if (started) return started;
      const making = drawn(key, wish, etag);
      underWay.set(key, making);
      return making;
    },
  };
}

function etagOf({ kind, shows }: Pick<Wish, "kind" | "shows">): string {
  const hash = createHash("sha256").update(JSON.stringify([kind, shows]));
  return `"${hash.digest("base64url").slice(0, 22)}"`;
}
