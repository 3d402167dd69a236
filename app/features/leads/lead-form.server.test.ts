import { expect, test } from "vitest";

import { createTextSigner } from "#app/services/base/signed-token.server.ts";

import { makeFormToken, readFormToken } from "./lead-form.server.ts";

const sign = createTextSigner("secret");
const formToken = { id: "0b5f1b0e-3a54-4d1c-9f43-6f0e3a1c2b11", openedAt: 5_000, source: "qr" } as const;

test("the token of a form comes back as it was made, and none that was changed", () => {
  for (const made of [formToken, { ...formToken, source: "" } as const])
    expect(readFormToken(sign, makeFormToken(sign, made, "card"), "card")).toEqual(made);
  const text = makeFormToken(sign, formToken, "card");
  expect(readFormToken(sign, text, "other")).toBeUndefined();
  for (const [part, other] of [
    ["5000", "5001"],
    [".qr.", ".nfc."],
    ["0b5f", "0b5e"],
    [text.slice(-43), ""],
    [text, ""],
  ] as const) {
    expect(text).toContain(part);
    expect(readFormToken(sign, text.replace(part, other), "card")).toBeUndefined();
  }
});
