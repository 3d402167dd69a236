import { describe, expect, test } from "vitest";

import { commonPasswords, isCommonPassword } from "./passwords.server.ts";

describe("common passwords", () => {
  test.each(["123456", "password", "qwerty", "PASSWORD", "Password1", "iloveyou", "ｐａｓｓｗｏｒｄ"])(
    "%s is one",
    (password) => {
      expect(isCommonPassword(password)).toBe(true);
    },
  );

  test.each(["correct horse battery staple", "tea-with-Ada-at-4", "gk38dm!x", "名刺名刺名刺名刺"])(
    "%s is none",
    (password) => {
      expect(isCommonPassword(password)).toBe(false);
    },
  );

  test("are tens of thousands", () => {
    expect(commonPasswords).toBeGreaterThan(40_000);
  });
});
