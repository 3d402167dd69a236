import fc from "fast-check";
import { describe, expect, test } from "vitest";

import {
  createTextSigner,
  createTokenSigner,
  readLastingText,
  readSignedText,
  signedText,
} from "./signed-token.server.ts";

const secret = "a secret of at least thirty-two characters";
const { sign, verify } = createTokenSigner(secret, "confirm");

describe("a signed token", () => {
  test("returns any JSON value unchanged", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(verify(sign(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  test("is rejected when any character was changed", () => {
    const token = sign({ email: "ada@example.com" });
    for (let at = 0; at < token.length; at++) {
      const other = token[at] === "A" ? "B" : "A";
      expect(verify(token.slice(0, at) + other + token.slice(at + 1)), `at ${at}`).toBeUndefined();
    }
  });

  test("is rejected for another purpose or with another secret, and never found in other text", () => {
    const token = sign({ email: "ada@example.com" });
    expect(createTokenSigner(secret, "pending").verify(token)).toBeUndefined();
    expect(createTokenSigner(`${secret}.`, "confirm").verify(token)).toBeUndefined();
    fc.assert(fc.property(fc.string(), (text) => verify(text) === undefined));
  });
});

const signText = createTextSigner(secret);

test("after a rotation, only lasting texts may be signed with the previous secret", () => {
  const signed = signedText(signText, "link", "text");
  const rotated = createTextSigner(`${secret}.`, secret);
  expect(readLastingText(rotated, "link", signed)).toBe("text");
  expect(readLastingText(rotated, "link", signedText(rotated, "link", "new"))).toBe("new");
  expect(readLastingText(rotated, "cookie", signed)).toBeUndefined();
  expect(readSignedText(rotated, "link", signed)).toBeUndefined();
  expect(readLastingText(createTextSigner(`${secret}.`), "link", signed)).toBeUndefined();
});

test("a signed text is returned, whatever its characters, for its purpose alone", () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), (text) => {
      const signed = signedText(signText, "link", text);
      expect(readSignedText(signText, "link", signed)).toBe(text);
      expect(readSignedText(signText, "cookie", signed)).toBeUndefined();
      expect(readSignedText(signText, "link", `${signed}.`)).toBeUndefined();
      expect(readSignedText(signText, "link", `x${signed}`)).toBeUndefined();
    }),
  );
  // Nor is it found in other text, or empty.
  for (const text of ["", ".", "a.b", signedText(signText, "link", "")])
    expect(readSignedText(signText, "link", text)).toBeUndefined();
});
