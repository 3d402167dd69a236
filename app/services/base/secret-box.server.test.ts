import { expect, test } from "vitest";

import { createSecretBox } from "./secret-box.server.ts";

test("decrypts what it encrypted, for the same owner, purpose and secret only", () => {
  const box = createSecretBox("secret", "totp");
  const stored = box.encrypt("JBSWY3DPEHPK3PXP", "ada");
  expect(box.decrypt(stored, "ada")).toBe("JBSWY3DPEHPK3PXP");
  expect(box.encrypt("JBSWY3DPEHPK3PXP", "ada")).not.toBe(stored);
  // In the middle: of the last character, base64url ignores up to four bits.
  const middle = Math.floor(stored.length / 2);
  const changed = stored.slice(0, middle) + (stored[middle] === "A" ? "B" : "A") + stored.slice(middle + 1);
  expect(() => box.decrypt(stored, "eve")).toThrow(/authenticate|tag/i);
  expect(() => box.decrypt(changed, "ada")).toThrow(/authenticate|tag/i);
  expect(() => box.decrypt(stored.slice(0, 20), "ada")).toThrow(/authenticate|tag/i);
  expect(() => createSecretBox("secret", "other").decrypt(stored, "ada")).toThrow(/authenticate|tag/i);
  expect(() => createSecretBox("other", "totp").decrypt(stored, "ada")).toThrow(/authenticate|tag/i);
});
