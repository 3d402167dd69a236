import * as fc from "fast-check";
import { expect, test } from "vitest";

import { checkHandle, handleFromName, similarHandles } from "./handle-rules.ts";

test("accepts 3 to 30 of a-z, 0-9 and hyphen, and lowercases capitals", () => {
  for (const handle of ["ada", "ada-lovelace", "a1b", "007", "x".repeat(30), "cardinal", "authority"]) {
    expect(checkHandle(handle)).toEqual({ handle });
  }
  expect(checkHandle(" Ada-Lovelace ")).toEqual({ handle: "ada-lovelace" });
});

test("says why a handle is invalid", () => {
  const problem = (text: string) => Object.values(checkHandle(text))[0];
  expect(problem(" ")).toBe("Choose a handle.");
  expect(problem("ab")).toBe("Use at least 3 characters.");
  expect(problem("x".repeat(31))).toBe("Use at most 30 characters.");
  expect([problem("-ada"), problem("ada-")]).toEqual(Array(2).fill("Start and end with a letter or a digit."));
  expect(problem("ada--l")).toBe("Don’t use two hyphens in a row.");
  const refused = ["ada lovelace", "ada_l", "@ada", "ada/..", "ädä", "名刺名刺", "ada\0", "ad\u212aa", "👩‍🚀👩‍🚀👩‍🚀"];
  expect(refused.map(problem)).toEqual(refused.map(() => "Use only letters a to z, digits and hyphens."));
});

test("reserves the product's paths, names that could impersonate it, and anything like an id", () => {
  const reserved =
    "auth cards card api Admin profile pricing docs account healthz support security www mail well-known forgot-password null undefined demo-user demo-card meishi meishi-help the-meishi-team 3f0e7b9a-0000 3f0e7b9a-0000-4000-8000-0000 DEADBEEF-cafe".split(
      " ",
    );
  expect(reserved.filter((handle) => "handle" in checkHandle(handle))).toEqual([]);
});

test("returns only handles that fit into a path and are valid themselves", () => {
  const character = fc.oneof(fc.constantFrom(..."abcXYZ019-- "), fc.string({ unit: "binary", maxLength: 1 }));
  fc.assert(
    fc.property(fc.array(character, { maxLength: 35 }), (characters) => {
      const checked = checkHandle(characters.join(""));
      if ("problem" in checked) return;
      expect(checked.handle).toMatch(/^(?=.{3,30}$)[a-z0-9]+(?:-[a-z0-9]+)*$/);
      expect(checkHandle(checked.handle)).toEqual(checked);
    }),
    { numRuns: 300 },
  );
});

test.each([
  ["Ada Lovelace", "ada-lovelace"],
  ["  Zoë O'Neill-Ståhl ", "zoe-oneill-stahl"],
  ["Łukasz Großmann", "lukasz-grossmann"],
  ["İbrahim Yıldız", "ibrahim-yildiz"],
  ["Maximiliane von und zu Hohenstein-Waldburg", "maximiliane-von-und-zu"],
  ["x".repeat(50), "x".repeat(30)],
])("suggests from the name %j the handle %j", (name, handle) => {
  expect(handleFromName(name)).toBe(handle);
});

test("suggests only valid handles, and none for other scripts", () => {
  for (const name of ["Al", "Admin", "名刺 太郎", "Анна Ada", "👩‍🚀", ""]) expect(handleFromName(name)).toBe("");
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: "grapheme" }), fc.stringMatching(/^[a-zß -]{0,60}$/)), (name) => {
      const handle = handleFromName(name);
      if (handle !== "") expect(checkHandle(handle)).toEqual({ handle });
    }),
  );
});

test("offers others that fit when a handle is taken", () => {
  expect(similarHandles("ada").slice(0, 3)).toEqual(["ada", "ada-2", "ada-3"]);
  expect(similarHandles("x".repeat(30))[1]).toBe(`${"x".repeat(28)}-2`);
});
