import { createHmac, timingSafeEqual } from "node:crypto";

/**
 * Signs values as tokens: `sign` returns a token, `verify` returns its value, or undefined if the token was changed or signed for another
 * purpose. A token is not encrypted.
 */
export function createTokenSigner(secret: string, purpose: string) {
  const hmac = (payload: string) => createHmac("sha256", secret).update(`seal\n${purpose}\n${payload}`).digest();

  function sign(value: unknown): string {
    const payload = Buffer.from(JSON.stringify(value)).toString("base64url");
    return `${payload}.${hmac(payload).toString("base64url")}`;
  }

  function verify(token: string): unknown {
    const [payload = "", signature = ""] = token.split(".");
    const actual = Buffer.from(signature, "base64url");
    const expected = hmac(payload);
    if (actual.length !== expected.length || !timingSafeEqual(actual, expected)) return undefined;
    return JSON.parse(Buffer.from(payload, "base64url").toString());
  }

  return { sign, verify };
}

/** Returns a function that signs a text for one purpose. The signature is in base64url and travels next to the text. */
export function createTextSigner(secret: string) {
  return (purpose: string, text: string): string =>
    createHmac("sha256", secret).update(`sign\n${purpose}\n${text}`).digest("base64url");
}
