import { describe, expect, test } from "vitest";

import { isCommonPassword, loadCommonPasswords } from "./common-passwords.server.ts";

describe("common passwords", () => {
  test.each(["123456", "password", "qwerty", "PASSWORD", "Password1", "iloveyou", "ｐａｓｓｗｏｒｄ"])(
    "include %s",
    async (password) => {
      expect(isCommonPassword(password, await loadCommonPasswords())).toBe(true);
    },
  );

  test.each(["correct horse battery staple", "tea-with-Ada-at-4", "gk38dm!x", "名刺名刺名刺名刺"])(
    "don't include %s",
    async (password) => {
      expect(isCommonPassword(password, await loadCommonPasswords())).toBe(false);
    },
  );

  test("are tens of thousands", async () => {
    expect((await loadCommonPasswords()).size).toBeGreaterThan(40_000);
  });
});
