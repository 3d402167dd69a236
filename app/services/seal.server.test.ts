import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { createSeal } from "./seal.server.ts";

const secret = "a secret of at least thirty-two signs";
const { seal, open } = createSeal(secret, "confirm");

describe("a sealed value", () => {
  test("comes back as it was", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(open(seal(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  test("is nothing when a sign of it was changed", () => {
    const sealed = seal({ email: "ada@example.com" });
    for (let at = 0; at < sealed.length; at++) {
      const other = sealed[at] === "A" ? "B" : "A";
      // The last sign of base64url holds spare bits; a change there may mean the same bytes.
      if (at === sealed.length - 1) continue;
      expect(open(sealed.slice(0, at) + other + sealed.slice(at + 1)), `at ${at}`).toBeUndefined();
    }
  });

  test("is nothing for another purpose or under another secret", () => {
    const sealed = seal({ email: "ada@example.com" });
    expect(createSeal(secret, "pending").open(sealed)).toBeUndefined();
    expect(createSeal(`${secret}.`, "confirm").open(sealed)).toBeUndefined();
  });

  test("is nothing when it is any other text", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(open(text)).toBeUndefined();
      }),
    );
  });
});
