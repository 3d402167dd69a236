import { createHash } from "node:crypto";

import type { Bus } from "./bus.server.ts";

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
  /** "preview", "qr" …; with its number, that goes up when its drawing changes: "preview 2". */
  kind: string;
  /** Everything that can be seen on it: plain data. */
  shows: unknown;
  draw: () => Promise<{ body: Uint8Array<ArrayBuffer>; type: string }>;
};

type Options = { bus: Pick<Bus, "subscribe">; maxBytes?: number; atOnce?: number; maxWaiting?: number };

/**
 * Makes pictures: each once, few at a time, kept in memory by what they show, the longest unused going first. An owner's go
 * when they save, so that no room is kept for what nobody will ask for again.
 */
export function createPictures({ bus, maxBytes = 64_000_000, atOnce = 2, maxWaiting = 60 }: Options): Pictures {
  const kept = new Map<string, Picture>();
  const underWay = new Map<string, Promise<Picture | "busy">>();
  const waiting: (() => void)[] = [];
  /** Of pictures under way whose owner saved meanwhile. */
  const outdated = new Set<string>();
  let [bytes, busy] = [0, 0];

  const unsubscribe = bus.subscribe((message) => {
    const isTheirs = (key: string) => message.kind !== "owner-changed" || key.startsWith(`${message.ownerId} `);
    for (const key of [...kept.keys()].filter(isTheirs)) forget(key);
    for (const key of [...underWay.keys()].filter(isTheirs)) outdated.add(key);
  });

  function forget(key: string) {
    bytes -= kept.get(key)?.body.byteLength ?? 0;
    kept.delete(key);
  }

  function keep(key: string, picture: Picture) {
    forget(key);
    kept.set(key, picture);
    bytes += picture.body.byteLength;
    for (const oldest of kept.keys()) {
      if (bytes <= maxBytes) break;
      forget(oldest);
    }
  }

  async function inTurn<T>(work: () => Promise<T>): Promise<T | "busy"> {
    if (busy >= atOnce) {
      if (waiting.length >= maxWaiting) return "busy";
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else busy++;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else busy--;
    }
  }

  async function drawn(key: string, { draw }: Wish, etag: string): Promise<Picture | "busy"> {
    try {
      const made = await inTurn(draw);
      if (made === "busy") return made;
      const picture = { ...made, etag };
      if (!outdated.has(key)) keep(key, picture);
      return picture;
    } finally {
      underWay.delete(key);
      outdated.delete(key);
    }
  }

  return {
    etagOf,
    size: () => bytes,
    close: unsubscribe,
    async make(wish) {
      const etag = etagOf(wish);
      const key = `${wish.ownerId} ${etag}`;
      const known = kept.get(key);
      if (known) {
        kept.delete(key);
        kept.set(key, known);
        return known;
      }
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
