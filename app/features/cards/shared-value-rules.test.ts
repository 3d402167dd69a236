import { describe, expect, test } from "vitest";

import { toFormValues } from "./card-form.ts";
import { newCard } from "./rules.ts";

import { applySharedChange, describeSharedChange, findSharedValues } from "./shared-value-rules.ts";

const blank = newCard({ displayName: "Ada", links: [] });
const address = { street: "1 Fair St", city: "London", region: "", postcode: "", country: "" };
const card = { ...blank, phone: "+44 1", company: "Engines", address };
const others = [
  { ...card, id: "same" },
  { ...blank, id: "phone", phone: "+44 1", address: { ...address, street: "2 Fair St" } },
  { ...blank, id: "none", company: "Other" },
];

describe("values that an owner's cards share", () => {
  const shared = findSharedValues(card, others);

  test("are found by field, without empty ones, and an address only as a whole", () => {
    expect(shared).toEqual({ phone: ["same", "phone"], company: ["same"], address: ["same"] });
    expect(findSharedValues(blank, others)).toEqual({});
  });

  test("are named once they are changed in the form", () => {
    const stored = toFormValues(card);
    const describe = (change: object) => describeSharedChange(shared, { typed: { ...stored, ...change }, stored });
    expect(describe({})).toBeUndefined();
    expect(describe({ phone: " +44 1 ", email: "new@ada.example" })).toBeUndefined();
    expect(describe({ phone: "+44 2" })).toEqual({ names: "phone", count: 2 });
    expect(describe({ company: "", city: "Turin" })).toEqual({ names: "company and address", count: 1 });
  });

  test("change on the cards that had the old value, and nothing else does", () => {
    const after = { ...card, phone: "+44 2", company: "", email: "new@ada.example" };
    const changed = others.map((other) => applySharedChange(other, { before: card, after }));
    expect(changed).toEqual([
      { ...others[0], phone: "+44 2", company: "" },
      { ...others[1], phone: "+44 2" },
      undefined,
    ]);
    expect(applySharedChange(card, { before: card, after: card })).toBeUndefined();
  });
});
