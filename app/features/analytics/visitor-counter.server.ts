import { hash, randomBytes } from "node:crypto";

const msPerDay = 86_400_000;
/** 4 MB: one in 6,000 visitors is missed after a million in one day, one in 50 after four million. */
const bits = 2 ** 25;

/**
 * Tells the first visit of a visitor to an owner's pages on a UTC day from later ones: a Bloom filter of salted hashes of the network
 * address and the browser. The salt is random, differs for each process and day, and is never stored; the filter holds no hash, only bits
 * that many visitors share. So a visitor who reaches two processes, or one that was restarted, counts again, and two people behind one
 * address with equal browsers count as one.
 */
export function createVisitorCounter() {
  let day = -1;
  let salt = "";
  let filter: Uint8Array | undefined;

  return {
    /** Whether it is the first visit of the day, and a number that tells this visitor from others until the day ends. */
    noteVisit({ ownerId, address, userAgent }: Visitor, now: number): { isFirst: boolean; visitor: number } {
      const today = Math.floor(now / msPerDay);
      if (today !== day) {
        day = today;
        salt = randomBytes(32).toString("base64");
        filter?.fill(0);
      }
      // Created with the first visit, and used again on the next day.
      filter ??= new Uint8Array(bits / 8);
      // A string of bytes: a buffer takes three times as long.
      const digest = hash("sha256", `${salt}\n${ownerId}\n${address}\n${userAgent}`, "latin1");
      let isFirst = false;
      for (let at = 0; at < 16; at += 4) {
        const bit = readUint32(digest, at) % bits;
        const mask = 1 << (bit & 7);
        const byte = filter[bit >> 3] ?? 0;
        if ((byte & mask) === 0) isFirst = true;
        filter[bit >> 3] = byte | mask;
      }
      return { isFirst, visitor: readUint32(digest, 16) };
    },
  };
}

/** Little-endian, from a string with a character per byte. */
function readUint32(bytes: string, at: number): number {
  let value = 0;
  for (let index = 3; index >= 0; index--) value = value * 256 + bytes.charCodeAt(at + index);
  return value;
}

type Visitor = { ownerId: string; address: string; userAgent: string };
