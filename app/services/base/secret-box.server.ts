import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

import type { Secrets } from "./signed-token.server.ts";

/** Encrypts texts for one owner each; a text that was copied to another owner's row can't be decrypted. */
export type SecretBox = {
  encrypt(text: string, ownerId: string): string;
  /** Undefined for a text that was changed, or encrypted for another owner or with another secret: the installation's may have been replaced. */
  read(stored: string, ownerId: string): string | undefined;
  /** The same, for what must be readable: throws. */
  decrypt(stored: string, ownerId: string): string;
};

/** Texts of `secretBox(purpose)`, for the row's `owner_id`; empty or null ones are left as they are. `key`: columns that name a row. */
export type EncryptedColumns = { purpose: string; table: string; key: readonly string[]; columns: readonly string[] };

const nonceBytes = 12;
const tagBytes = 16;

/**
 * AES-256-GCM with a key for this purpose alone, derived from the installation's secret. Decrypts also what the previous one encrypted.
 * `onUnreadable` is notified of each text that `read` can't decrypt.
 */
export function createSecretBox(secrets: Secrets, purpose: string, onUnreadable?: () => void): SecretBox {
  const keyOf = (secret: string) => Buffer.from(hkdfSync("sha256", secret, "", `meishi encryption\n${purpose}`, 32));
  const key = keyOf(secrets.secret);
  const previousKey = secrets.previousSecret === undefined ? undefined : keyOf(secrets.previousSecret);

  function decrypt(stored: string, ownerId: string): string {
    const bytes = Buffer.from(stored, "base64url");
    try {
      return decryptWith(key, bytes, ownerId);
    } catch (error) {
      if (previousKey === undefined) throw error;
      return decryptWith(previousKey, bytes, ownerId);
    }
  }

  function decryptWith(key: Buffer, bytes: Buffer, ownerId: string): string {
    const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes });
    decipher.setAAD(Buffer.from(ownerId)).setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
    return decipher.update(bytes.subarray(nonceBytes + tagBytes), undefined, "utf8") + decipher.final("utf8");
  }

  return {
    decrypt,
    encrypt(text, ownerId) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(ownerId));
      const encrypted = [cipher.update(text, "utf8"), cipher.final()];
      return Buffer.concat([nonce, cipher.getAuthTag(), ...encrypted]).toString("base64url");
    },
    read(stored, ownerId) {
      try {
        return decrypt(stored, ownerId);
      } catch {
        // Another key, a changed text and one that is too short: Node has no code that they share.
        onUnreadable?.();
        return undefined;
      }
    },
  };
}
