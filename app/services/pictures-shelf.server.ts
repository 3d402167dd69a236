import type { Picture } from "./pictures.server.ts";

/** Pictures in memory by "<owner id> <tag>", at most `maxBytes` of them; the longest unused goes first. */
export function createShelf(maxBytes: number) {
  const kept = new Map<string, Picture>();
  const keysOf = new Map<string, Set<string>>();
  let bytes = 0;

  function forget(key: string) {
    const picture = kept.get(key);
    if (!picture) return;
    bytes -= weightOf(picture);
    kept.delete(key);
    const keys = keysOf.get(ownerOf(key));
    keys?.delete(key);
    if (keys?.size === 0) keysOf.delete(ownerOf(key));
  }

  return {
    find(key: string): Picture | undefined {
      const picture = kept.get(key);
      if (!picture) return undefined;
      kept.delete(key);
      kept.set(key, picture);
      return picture;
    },
    keep(key: string, picture: Picture) {
      forget(key);
      kept.set(key, picture);
      bytes += weightOf(picture);
      keysOf.set(ownerOf(key), (keysOf.get(ownerOf(key)) ?? new Set()).add(key));
      for (const oldest of kept.keys()) {
        if (bytes <= maxBytes) break;
        forget(oldest);
      }
    },
    /** All of one owner, or all there are. */
    forgetOf(ownerId: string | undefined) {
      const keys = ownerId === undefined ? kept.keys() : (keysOf.get(ownerId) ?? []);
      for (const key of Array.from(keys)) forget(key);
    },
    size: () => bytes,
  };
}

export function ownerOf(key: string): string {
  return key.slice(0, key.indexOf(" "));
}

/** With what the engine needs around it: a code of 75 bytes takes more than a kilobyte. */
function weightOf({ body }: Picture): number {
  return body.byteLength + aroundEach;
}

const aroundEach = 2_000;
