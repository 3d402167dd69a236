import { randomFillSync } from "node:crypto";

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
  const salt = new Int32Array(2);
  let filter: Uint8Array | undefined;

  return {
    /** Whether it is the first visit of the day, and a number that tells this visitor from others until the day ends. */
    noteVisit({ ownerId, address, userAgent }: Visitor, now: number): { isFirst: boolean; visitor: number } {
      const today = Math.floor(now / msPerDay);
      if (today !== day) {
        day = today;
        randomFillSync(salt);
        filter?.fill(0);
      }
      // Created with the first visit, and used again on the next day.
      filter ??= new Uint8Array(bits / 8);
      const { first, second } = hashVisitor([ownerId, address, userAgent], salt);
      let isFirst = false;
      for (let n = 0; n < 4; n++) {
        const bit = (first + n * second) % bits;
        const mask = 1 << (bit & 7);
        const byte = filter[bit >> 3] ?? 0;
        if ((byte & mask) === 0) isFirst = true;
        filter[bit >> 3] = byte | mask;
      }
      return { isFirst, visitor: first };
    },
  };
}

type Visitor = { ownerId: string; address: string; userAgent: string };

/**
 * Two salted numbers of 32 bits: FNV-1a with two multipliers, and the last step of MurmurHash3, which spreads the bits. A cryptographic hash
 * takes twice as long and protects no more in this process's memory, where the salt is too. Outside of it, it would: from a number and what
 * it was made of, the salt can be computed, so `live-visits.server.ts` hashes the numbers that it announces.
 */
function hashVisitor(texts: string[], salt: Int32Array): { first: number; second: number } {
  let first = salt[0] ?? 0;
  let second = salt[1] ?? 0;
  for (const text of texts) {
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      first = Math.imul(first ^ code, 0x01000193);
      second = Math.imul(second ^ code, 0x9e3779b1);
    }
    // Between two texts.
    first = Math.imul(first ^ 0x10000, 0x01000193);
  }
  return { first: spread(first), second: spread(second) };
}

function spread(hash: number): number {
  let value = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}
