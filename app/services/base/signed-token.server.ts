import { createHmac, timingSafeEqual } from "node:crypto";

/** The installation's secret, and the one before it was last rotated: texts that it signed or encrypted stay valid. */
export type Secrets = { secret: string; previousSecret?: string | undefined };

/** Both, or the only one. */
export function listSecrets({ secret, previousSecret }: Secrets): string[] {
  return previousSecret === undefined ? [secret] : [secret, previousSecret];
}

/**
 * Signs values as tokens: `sign` returns a token, `verify` returns its value, or undefined if the token was changed or signed for another
 * purpose. A token is not encrypted. Tokens give access to an account, so a rotation of the secret ends them.
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

/** Signs a text for one purpose. The signature is in base64url and travels next to the text. `previous` signs with the previous secret. */
export type SignText = ((purpose: string, text: string) => string) & { previous?: SignText };

export function createTextSigner(secret: string, previousSecret?: string): SignText {
  const sign: SignText = (purpose, text) =>
    createHmac("sha256", secret).update(`sign\n${purpose}\n${text}`).digest("base64url");
  if (previousSecret !== undefined) sign.previous = createTextSigner(previousSecret);
  return sign;
}

/** Whether `actual` is what we sign with one of our secrets, for what leads into no account. `expected` makes that with the function it is given. */
export function isSigned(sign: SignText, actual: string, expected: (sign: SignText) => string): boolean {
  return [sign, sign.previous].some((one) => one !== undefined && isEqualText(actual, expected(one)));
}

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

/** The same, also for what the previous secret signed: links and drafts that may be old, and lead into no account. */
export function readLastingText(sign: SignText, purpose: string, signed: string): string | undefined {
  const text = readSignedText(sign, purpose, signed);
  return text ?? (sign.previous && readSignedText(sign.previous, purpose, signed));
}

/** Compares a secret or signature with what was sent, in a time that doesn't tell where they differ. */
export function isEqualText(actual: string, expected: string): boolean {
  const [a, b] = [Buffer.from(actual), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
