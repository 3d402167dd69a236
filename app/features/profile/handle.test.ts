import * as fc from "fast-check";
import { expect, test } from "vitest";

import { checkHandle } from "./handle.ts";

test("a handle is 3 to 30 of a-z, 0-9 and hyphen; capitals are made small", () => {
  for (const handle of ["ada", "ada-lovelace", "a1b", "007", "x".repeat(30), "cardinal", "authority"]) {
    expect(checkHandle(handle)).toEqual({ handle });
  }
  expect(checkHandle(" Ada-Lovelace ")).toEqual({ handle: "ada-lovelace" });
});

test("what is wrong with a handle is said in words", () => {
  const problem = (text: string) => Object.values(checkHandle(text))[0];
  expect(problem(" ")).toBe("Choose a handle.");
  expect(problem("ab")).toBe("Use at least 3 characters.");
  expect(problem("x".repeat(31))).toBe("Use at most 30 characters.");
  expect([problem("-ada"), problem("ada-")]).toEqual(
    Array(2).fill("A handle starts and ends with a letter or a digit."),
  );
  expect(problem("ada--l")).toBe("Use one hyphen at a time.");
  const signs = ["ada lovelace", "ada_l", "@ada", "ada/..", "ädä", "名刺名刺", "ada\0", "ad\u212aa", "ada.l", "👩‍🚀👩‍🚀👩‍🚀"];
  expect(signs.map(problem)).toEqual(signs.map(() => "Use only the letters a to z, digits and hyphens."));
});

test("addresses of the product, names that pass for it, and what looks like an id are reserved", () => {
  const reserved =
    "auth cards card api Admin profile pricing docs account healthz support security www mail well-known forgot-password null undefined demo-user demo-card meishi meishi-help the-meishi-team 3f0e7b9a-0000 3f0e7b9a-0000-4000-8000-0000 DEADBEEF-cafe".split(
      " ",
    );
  expect(reserved.filter((handle) => "handle" in checkHandle(handle))).toEqual([]);
});

test("whatever is typed, a handle is one that an address can hold, and is its own handle again", () => {
  const sign = fc.oneof(fc.constantFrom(..."abcXYZ019-- "), fc.string({ unit: "binary", maxLength: 1 }));
  fc.assert(
    fc.property(fc.array(sign, { maxLength: 35 }), (signs) => {
      const checked = checkHandle(signs.join(""));
      if ("problem" in checked) return;
      expect(checked.handle).toMatch(/^(?=.{3,30}$)[a-z0-9]+(?:-[a-z0-9]+)*$/);
      expect(checkHandle(checked.handle)).toEqual(checked);
    }),
    { numRuns: 500 },
  );
});
