import { describe, expect, test } from "vitest";

import { findPasswordFault, inMinutes, isLoopback } from "./rules.ts";

const email = "ada@example.com";

describe("a new password", () => {
  const fault = (password: string, isCommon = false) => findPasswordFault(password, { email, isCommon });

  test("has 6 to 128 signs, counted as people do", () => {
    expect(fault("12345")).toBe("too-short");
    expect(fault("123456")).toBeUndefined();
    expect(fault("😀".repeat(5))).toBe("too-short");
    expect(fault("😀".repeat(128))).toBeUndefined();
    expect(fault("a".repeat(129))).toBe("too-long");
  });

  test("is not the email address, and not one of the common ones", () => {
    expect(fault("Ada@Example.com ")).toBe("is-email");
    expect(fault("123456", true)).toBe("common");
  });
});

describe("when to try again", () => {
  test.each([
    [0, "in one minute"],
    [1, "in one minute"],
    [60_000, "in one minute"],
    [60_001, "in 2 minutes"],
    [15 * 60_000, "in 15 minutes"],
  ])("%d ms from now is %s", (ms, said) => {
    expect(inMinutes(1_000_000 + ms, 1_000_000)).toBe(said);
  });
});

describe("this machine", () => {
  test.each(["127.0.0.1", "127.8.9.10", "::1"])("is %s", (address) => {
    expect(isLoopback(address)).toBe(true);
  });
  test.each(["128.0.0.1", "10.0.0.1", "::2", "", "127.0.0.1.evil", "::ffff:10.0.0.1"])("is not %j", (address) => {
    expect(isLoopback(address)).toBe(false);
  });
});
