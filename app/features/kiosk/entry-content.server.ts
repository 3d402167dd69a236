import { createECDH } from "node:crypto";

import { calculateJwkThumbprint, compactDecrypt, errors, importJWK } from "jose";
import type { JWK } from "jose";

import type { Services } from "#app/services/http/context.ts";

import { entryContentSchema } from "./schema.ts";
import type { EntryContent } from "./schema.ts";

type SignFunction = Services["sign"];

/** The key that the devices of a card encrypt with. `id` is its thumbprint (RFC 7638). */
export type CardKey = { id: string; key: JWK };

export async function publicKeyOf(sign: SignFunction, cardId: string): Promise<CardKey> {
  const { d: _, ...key } = keyPairOf(sign, cardId);
  return { id: await calculateJwkThumbprint(key), key };
}

/** The content of an entry; undefined if it isn't encrypted for this card, or isn't what our form makes. */
export async function openEntry(
  sign: SignFunction,
  cardId: string,
  entry: { id: string; content: string },
): Promise<EntryContent | undefined> {
  try {
    const plaintext = await decrypt(sign, cardId, entry.content);
    const read = entryContentSchema.safeParse(JSON.parse(new TextDecoder().decode(plaintext)));
    return read.success && read.data.id === entry.id ? read.data : undefined;
  } catch (error) {
    // A public key in the entry that isn't on the curve is a DOMException or TypeError of Web Crypto.
    const isInvalid = error instanceof errors.JOSEError || error instanceof SyntaxError || error instanceof TypeError;
    if (isInvalid || error instanceof DOMException) return undefined;
    throw error;
  }
}

async function decrypt(sign: SignFunction, cardId: string, content: string): Promise<Uint8Array> {
  const key = await importJWK(keyPairOf(sign, cardId), "ECDH-ES");
  try {
    const { plaintext } = await compactDecrypt(content, key, {
      keyManagementAlgorithms: ["ECDH-ES"],
      contentEncryptionAlgorithms: ["A256GCM"],
    });
    return plaintext;
  } catch (error) {
    // A device may have encrypted it before the secret was rotated.
    if (sign.previous === undefined) throw error;
    return decrypt(sign.previous, cardId, content);
  }
}

/**
 * A key pair on P-256 for ECDH-ES (RFC 7518 §4.6), derived from the installation's secret: every process has the same, no table has it, and
 * a new link of the same card can deliver what an earlier one left on a device.
 */
function keyPairOf(sign: SignFunction, cardId: string): JWK {
  for (let attempt = 0; ; attempt++) {
    const d = Buffer.from(sign("kiosk key", `${cardId}\n${attempt}`), "base64url");
    const pair = createECDH("prime256v1");
    try {
      pair.setPrivateKey(d);
    } catch {
      // Not below the order of the curve: one of four billion.
      continue;
    }
    const point = pair.getPublicKey();
    const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString("base64url"));
    return { kty: "EC", crv: "P-256", x: x ?? "", y: y ?? "", d: d.toString("base64url") };
  }
}
