import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

/** Encrypts texts for one owner each; a text that was copied to another owner's row can't be decrypted. */
export type SecretBox = {
  encrypt(text: string, ownerId: string): string;
  /** Undefined for a text that was changed, or encrypted for another owner or with another secret: the installation's may have been replaced. */
  read(stored: string, ownerId: string): string | undefined;
  /** The same, for what must be readable: throws. */
  decrypt(stored: string, ownerId: string): string;
};

const nonceBytes = 12;
const tagBytes = 16;

/**
 * AES-256-GCM with a key for this purpose alone, derived from the installation's secret. `onUnreadable` hears of each text that `read` can't
 * decrypt.
 */
export function createSecretBox(secret: string, purpose: string, onUnreadable?: () => void): SecretBox {
  const key = Buffer.from(hkdfSync("sha256", secret, "", `meishi encryption\n${purpose}`, 32));

  function decrypt(stored: string, ownerId: string): string {
    const bytes = Buffer.from(stored, "base64url");
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
