import { expect, test } from "vitest";

import { agreedMonths, consentTemplates, consentTexts } from "./consent-text.ts";

const fields = { name: "required", email: "required", phone: "hidden", company: "hidden", note: "hidden" } as const;
const parties = { displayName: "Ada", company: "Engines", months: 12, hasServices: false };
const end =
  "My details go only to Ada, Engines, and are deleted after 12 months at the latest. I can withdraw my consent at any time.";

/** The texts of a form with these words of its owner. */
function textsOf(answer: string, newsletter = "") {
  const texts = consentTexts({ consentTexts: { answer, newsletter }, hasNewsletter: true, fields }, parties);
  return texts.map(({ text }) => text);
}

test("a form without words of its owner has the template of each purpose", () => {
  expect(textsOf("")).toEqual([`${consentTemplates.answer} ${end}`, `${consentTemplates.newsletter} ${end}`]);
});

test.each([
  ["Yes, call me", "Yes, call me."],
  ["Yes, call me.", "Yes, call me."],
  ["May I call you?", "May I call you?"],
  ["Yes (call me.)", "Yes (call me.)"],
  ["はい、連絡してください。", "はい、連絡してください。"],
  ["Yes: “call me!”", "Yes: “call me!”"],
])("the owner's words end as a sentence before what is always added: %s", (words, sentence) => {
  const texts = textsOf(words, words);
  expect(texts).toEqual([`${sentence} ${end}`, `${sentence} ${end}`]);
  expect(agreedMonths([{ text: texts[0] ?? "" }], 24)).toBe(12);
});
