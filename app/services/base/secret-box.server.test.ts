import { expect, test } from "vitest";

import { createSecretBox } from "./secret-box.server.ts";

test("decrypts what it encrypted, for the same owner, purpose and secret only", () => {
  const box = createSecretBox({ secret: "secret" }, "totp");
  const stored = box.encrypt("JBSWY3DPEHPK3PXP", "ada");
  expect(box.decrypt(stored, "ada")).toBe("JBSWY3DPEHPK3PXP");
  expect(box.encrypt("JBSWY3DPEHPK3PXP", "ada")).not.toBe(stored);
  // In the middle: of the last character, base64url ignores up to four bits.
  const middle = Math.floor(stored.length / 2);
  const changed = stored.slice(0, middle) + (stored[middle] === "A" ? "B" : "A") + stored.slice(middle + 1);
  expect(() => box.decrypt(stored, "eve")).toThrow(/authenticate|tag/i);
  expect(() => box.decrypt(changed, "ada")).toThrow(/authenticate|tag/i);
  expect(() => box.decrypt(stored.slice(0, 20), "ada")).toThrow(/authenticate|tag/i);
  const rotated = createSecretBox({ secret: "new", previousSecret: "secret" }, "totp");
  expect(rotated.decrypt(stored, "ada")).toBe("JBSWY3DPEHPK3PXP");
  expect(() => box.decrypt(rotated.encrypt("JBSWY3DPEHPK3PXP", "ada"), "ada")).toThrow(/authenticate|tag/i);
  expect(() => createSecretBox({ secret: "secret" }, "other").decrypt(stored, "ada")).toThrow(/authenticate|tag/i);
  expect(() => createSecretBox({ secret: "other" }, "totp").decrypt(stored, "ada")).toThrow(/authenticate|tag/i);
});

test("reads what it can decrypt, and reports what it can't", () => {
  const stored = createSecretBox({ secret: "secret" }, "totp").encrypt("JBSWY3DPEHPK3PXP", "ada");
  let reported = 0;
  const boxOf = (secret: string) => createSecretBox({ secret }, "totp", () => reported++);
  expect([boxOf("secret").read(stored, "ada"), reported]).toEqual(["JBSWY3DPEHPK3PXP", 0]);
  const texts = ["", "x", stored.slice(0, 30), stored, "not base64url: é"];
  expect(texts.map((text) => boxOf("other").read(text, "ada"))).toEqual(texts.map(() => undefined));
  expect(reported).toBe(texts.length);
});
