import { createHmac, timingSafeEqual } from "node:crypto";

/**
 * Text that we give away and know again: `seal` signs a value, `open` gives it back, or undefined when it is not whole or was
 * sealed for something else. Everybody can read it; nobody can make or change one.
 */
export function createSeal(secret: string, purpose: string) {
  const sign = (payload: string) => createHmac("sha256", secret).update(`seal\n${purpose}\n${payload}`).digest();

  function seal(value: unknown): string {
    const payload = Buffer.from(JSON.stringify(value)).toString("base64url");
    return `${payload}.${sign(payload).toString("base64url")}`;
  }

  function open(sealed: string): unknown {
    const [payload = "", signature = ""] = sealed.split(".");
    const given = Buffer.from(signature, "base64url");
    const right = sign(payload);
    if (given.length !== right.length || !timingSafeEqual(given, right)) return undefined;
    return JSON.parse(Buffer.from(payload, "base64url").toString());
  }

  return { seal, open };
}

/** Signatures of texts that travel beside them, in base64url; one made for another purpose does not fit. */
export function createSign(secret: string) {
  return (purpose: string, text: string): string =>
    createHmac("sha256", secret).update(`sign\n${purpose}\n${text}`).digest("base64url");
}
