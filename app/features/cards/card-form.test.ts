import { expect, test } from "vitest";

import { toPreviewCard, isSameForm, toFormValues } from "./card-form.ts";
import { toCardViewModel } from "./card-view-model.ts";
import { newCard } from "./rules.ts";

const saved = toFormValues({
  ...newCard({ displayName: "Ada", links: [{ id: "a", label: "Site", url: "https://ada.example" }] }),
  profession: "Mathematician",
  company: "Analytical Engines",
  email: "ada@example.com",
});

test("an edited form is unchanged by surrounding spaces, empty links and an added scheme", () => {
  const typed = {
    ...saved,
    company: " Analytical Engines ",
    links: [
      { id: "a", name: "Site ", url: "ada.example" },
      { id: "b", name: "", url: "" },
    ],
  };
  expect(isSameForm(typed, saved)).toBe(true);
  expect(isSameForm({ ...typed, company: "Engines" }, saved)).toBe(false);
  expect(isSameForm({ ...typed, is_public: false }, saved)).toBe(false);
});

test("an edited form previews the card without incomplete numbers and URLs", () => {
  const typed = { ...saved, years_experience: "8 or so", website: "not an", prefix: " Dr. " };
  expect(shown(typed)).toMatchObject({
    displayName: "Ada",
    prefix: "Dr.",
    profession: "Mathematician",
    position: null,
    phone: null,
    yearsExperience: null,
    website: null,
    links: [{ id: "a", name: "Site", url: "https://ada.example" }],
  });
  const corrected = { yearsExperience: 8, website: "https://ada.example" };
  expect(shown({ ...typed, years_experience: "8", website: "ada.example" })).toMatchObject(corrected);
});

test("an edited form previews the card without fields that only the contact file holds", () => {
  const visibility = { ...saved.visibility, email: "file", pronouns: "page" };
  const typed = { ...saved, pronouns: "she/her", visibility };
  expect(shown(typed)).toMatchObject({ email: null, pronouns: "she/her" });
});

function shown(text: typeof saved) {
  return toCardViewModel(toPreviewCard(text), { displayName: "Ada", logoKey: null, avatarKey: null });
}
