import { expect, test } from "vitest";

import { createSecretBox } from "./secret-box.server.ts";

test("decrypts what it encrypted, for the same owner, purpose and secret only", () => {
  const box = createSecretBox("secret", "totp");
  const stored = box.encrypt("JBSWY3DPEHPK3PXP", "ada");
  expect(box.decrypt(stored, "ada")).toBe("JBSWY3DPEHPK3PXP");
  expect(box.encrypt("JBSWY3DPEHPK3PXP", "ada")).not.toBe(stored);
  const changed = stored.replace(/.$/, (last) => (last === "A" ? "B" : "A"));
  expect(() => box.decrypt(stored, "eve")).toThrow(/authenticate|tag/i);
  expect(() => box.decrypt(changed, "ada")).toThrow(/authenticate|tag/i);
  expect(() => box.decrypt(stored.slice(0, 20), "ada")).toThrow(/authenticate|tag/i);
  expect(() => createSecretBox("secret", "other").decrypt(stored, "ada")).toThrow(/authenticate|tag/i);
  expect(() => createSecretBox("other", "totp").decrypt(stored, "ada")).toThrow(/authenticate|tag/i);
});
