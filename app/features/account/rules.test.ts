import { expect, test } from "vitest";

import { findPasswordProblem, isLoopback } from "./rules.ts";

const email = "ada@example.com";

const fault = (password: string) => findPasswordProblem(password, { email });

test("a new password has 6 to 128 characters, counted in code points", () => {
  expect(fault("12345")).toBe("too-short");
  expect(fault("123456")).toBeUndefined();
  expect(fault("😀".repeat(5))).toBe("too-short");
  expect(fault("😀".repeat(128))).toBeUndefined();
  expect(fault("a".repeat(129))).toBe("too-long");
});

test("a new password is not the email address", () => {
  expect(fault("Ada@Example.com ")).toBe("is-email");
});

test("a loopback address is one of 127.0.0.0/8, or ::1", () => {
  const others = ["128.0.0.1", "10.0.0.1", "::2", "", "127.0.0.1.evil", "::ffff:10.0.0.1"];
  expect(["127.0.0.1", "127.8.9.10", "::1", ...others].filter(isLoopback)).toEqual(["127.0.0.1", "127.8.9.10", "::1"]);
});
