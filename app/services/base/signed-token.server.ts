import { createHmac, timingSafeEqual } from "node:crypto";

/**
 * Signs values as tokens: `sign` returns a token, `verify` returns its value, or undefined if the token was changed or signed for another
 * purpose. A token is not encrypted.
 */
export function createTokenSigner(secret: string, purpose: string) {
  const hmac = (payload: string) =>
    createHmac("sha256", secret).update(`seal\n${purpose}\n${payload}`).digest("base64url");

  function sign(value: unknown): string {
    const payload = Buffer.from(JSON.stringify(value)).toString("base64url");
    return `${payload}.${hmac(payload)}`;
  }

  function verify(token: string): unknown {
    const [payload = "", signature = ""] = token.split(".");
    if (!isEqualText(signature, hmac(payload))) return undefined;
    return JSON.parse(Buffer.from(payload, "base64url").toString());
  }

  return { sign, verify };
}

/** Returns a function that signs a text for one purpose. The signature is in base64url and travels next to the text. */
export function createTextSigner(secret: string) {
  return (purpose: string, text: string): string =>
    createHmac("sha256", secret).update(`sign\n${purpose}\n${text}`).digest("base64url");
}

type SignText = ReturnType<typeof createTextSigner>;

/** A text with its signature: "text.signature". */
export function signedText(sign: SignText, purpose: string, text: string): string {
  return `${text}.${sign(purpose, text)}`;
}

/** The text that we signed for this purpose; undefined for anything else. */
export function readSignedText(sign: SignText, purpose: string, signed: string): string | undefined {
  const at = signed.lastIndexOf(".");
  const text = signed.slice(0, Math.max(at, 0));
  return text !== "" && isEqualText(signed.slice(at + 1), sign(purpose, text)) ? text : undefined;
}

/** Compares a secret or signature with what was sent, in a time that doesn't tell where they differ. */
export function isEqualText(actual: string, expected: string): boolean {
  const [a, b] = [Buffer.from(actual), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
