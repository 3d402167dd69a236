import { expect, test } from "vitest";

import { createTextSigner } from "#app/services/base/signed-token.server.ts";

import { makeFormStamp, readFormStamp } from "./lead-form.server.ts";

const sign = createTextSigner("secret");
const stamp = { id: "0b5f1b0e-3a54-4d1c-9f43-6f0e3a1c2b11", openedAt: 5_000, source: "qr" } as const;

test("the stamp of a form comes back as it was made", () => {
  expect(readFormStamp(sign, makeFormStamp(sign, stamp, "card"), "card")).toEqual(stamp);
  const direct = { ...stamp, source: "" } as const;
  expect(readFormStamp(sign, makeFormStamp(sign, direct, "card"), "card")).toEqual(direct);
});

test.each([
  ["another card", (text: string) => text, "other"],
  ["another time", (text: string) => text.replace("5000", "5001"), "card"],
  ["another source", (text: string) => text.replace(".qr.", ".nfc."), "card"],
  ["another id", (text: string) => text.replace("0b5f", "0b5e"), "card"],
  ["no signature", (text: string) => text.slice(0, -43), "card"],
  ["nothing", () => "", "card"],
])("a stamp with %s is refused", (_, change, card) => {
  expect(readFormStamp(sign, change(makeFormStamp(sign, stamp, "card")), card)).toBeUndefined();
});
