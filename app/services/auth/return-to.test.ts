import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { authPath, readReturnTo, signedInPath } from "./return-to.ts";

const read = (returnTo: string) => readReturnTo(new URLSearchParams({ returnTo }));

describe("the path after signing in", () => {
  const paths =
    "/ /profile /cards/edit/7f3a?from=list&x=1#top /u/ada /pricing /authors /u/100%25 /u/%E5%90%8D%E5%88%BA";
  test.each(`${paths} /a//b /?q=//evil.example /?next=https://evil.example`.split(" "))(
    "is %s on this site",
    (path) => {
      expect(read(path)).toBe(path);
    },
  );

  test("is read from `returnTo`, then from `redirect`, and may be missing", () => {
    expect(readReturnTo(new URLSearchParams())).toBeUndefined();
    expect(read("")).toBeUndefined();
    expect(readReturnTo(new URLSearchParams({ redirect: "/pricing" }))).toBe("/pricing");
    expect(readReturnTo(new URLSearchParams({ redirect: "/pricing", returnTo: "/profile" }))).toBe("/profile");
    expect(readReturnTo(new URLSearchParams({ redirect: "/pricing", returnTo: "//evil.example" }))).toBe("/pricing");
  });

  const hosts =
    "//evil.example /\\evil.example https://evil.example https:evil.example javascript:alert(1) profile /u/%";
  const dots = "/.//evil.example /x/..//evil.example /%2e//evil.example";
  const encoded = "/%2fevil.example /%5cevil.example /%252fevil.example /%0d%0aset-cookie:x=y /%09/evil.example";
  const blanks = [" /profile", "/\t/evil.example", "\t//evil.example", "/\u0000/evil.example", "/\u2028/evil"];
  const words = `${hosts} ${dots} ${encoded} /${"a".repeat(2001)}`.split(" ");
  test.each([...blanks, ...words])("is never %j", (path) => {
    expect(read(path)).toBeUndefined();
  });

  const forms = "/signup /forgot-password /reset-password?token=x";
  const signIn = "/auth /auth/ /AUTH /auth?returnTo=/auth /auth/confirm?token=x /auth.data";
  test.each(`${forms} ${signIn}`.split(" "))("is not %s, which is for people who are not signed in", (path) => {
    expect(read(path)).toBeUndefined();
  });

  test("stays on this site, whatever the parameter", () => {
    const character = fc.constantFrom(..."/ \\ . % 2f 5c 25 2e \t \n : @ https evil ? #".split(" "), " ");
    fc.assert(
      fc.property(
        fc.array(character).map((characters) => characters.join("")),
        (typed) => {
          const path = read(typed) ?? signedInPath;
          const site = "https://cards.example";
          expect(new URL(path, site).origin).toBe(site);
          expect(new URL(decodeURI(new URL(path, site).pathname), site).origin).toBe(site);
          expect(path).toMatch(/^\/(?![/\\])[^\\\s]*$/);
        },
      ),
      { numRuns: 2000 },
    );
  });
});

test("the URL of the login page contains the path to return to, if there is one", () => {
  expect(authPath("/cards/edit?x=1&y=2")).toBe("/auth?returnTo=%2Fcards%2Fedit%3Fx%3D1%26y%3D2");
  expect(authPath(undefined)).toBe("/auth");
  expect(authPath(undefined, { tab: "signup" })).toBe("/auth?tab=signup");
});
