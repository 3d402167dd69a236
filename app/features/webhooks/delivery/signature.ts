import { createHmac, randomBytes } from "node:crypto";

/** A new secret as Standard Webhooks writes it: "whsec_" and 32 random bytes in base64. */
export function createSecret(): string {
  return `whsec_${randomBytes(32).toString("base64")}`;
}

type SignedMessage = { id: string; timestamp: number; body: string };

/** The header `webhook-signature` (Standard Webhooks): a signature for each secret. `timestamp` in seconds. */
export function signMessage({ id, timestamp, body }: SignedMessage, secrets: readonly string[]): string {
  return secrets
    .map((secret) => {
      const key = Buffer.from(secret.slice("whsec_".length), "base64");
      return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`;
    })
    .join(" ");
}
