import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

/** Encrypts texts for one owner each; a text that was copied to another owner's row can't be decrypted. */
export type SecretBox = {
  encrypt(text: string, ownerId: string): string;
  /** Throws for a text that was changed, or encrypted for another owner or with another secret. */
  decrypt(stored: string, ownerId: string): string;
};

const nonceBytes = 12;
const tagBytes = 16;

/** AES-256-GCM with a key for this purpose alone, derived from the installation's secret. */
export function createSecretBox(secret: string, purpose: string): SecretBox {
  const key = Buffer.from(hkdfSync("sha256", secret, "", `meishi encryption\n${purpose}`, 32));
  return {
    encrypt(text, ownerId) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(ownerId));
      const encrypted = [cipher.update(text, "utf8"), cipher.final()];
      return Buffer.concat([nonce, cipher.getAuthTag(), ...encrypted]).toString("base64url");
    },
    decrypt(stored, ownerId) {
      const bytes = Buffer.from(stored, "base64url");
      const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes });
      decipher.setAAD(Buffer.from(ownerId)).setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
      return decipher.update(bytes.subarray(nonceBytes + tagBytes), undefined, "utf8") + decipher.final("utf8");
    },
  };
}
