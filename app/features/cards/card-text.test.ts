import { describe, expect, test } from "vitest";

import { changeOf, isSameText, textOf } from "./card-text.ts";
import { shownContact } from "./contact-shown.ts";
import { newCard } from "./rules.ts";

const saved = textOf({
  ...newCard({ displayName: "Ada", links: [{ id: "a", label: "Site", url: "https://ada.example" }] }),
  profession: "Mathematician",
  company: "Analytical Engines",
  email: "ada@example.com",
});

describe("the text of a card while it is typed", () => {
  test("is unchanged by spaces around it, empty links and a scheme that the server would add", () => {
    const typed = {
      ...saved,
      company: " Analytical Engines ",
      links: [
        { id: "a", name: "Site ", url: "ada.example" },
        { id: "b", name: "", url: "" },
      ],
    };
    expect(isSameText(typed, saved)).toBe(true);
    expect(isSameText({ ...typed, company: "Engines" }, saved)).toBe(false);
    expect(isSameText({ ...typed, is_public: false }, saved)).toBe(false);
  });

  test("is shown as it will be, without what is no number of years and no address yet", () => {
    const typed = { ...saved, years_experience: "8 or so", website: "not an", prefix: " Dr. " };
    expect(shown(typed)).toMatchObject({
      displayName: "Ada",
      prefix: "Dr.",
      profession: "Mathematician",
      company: "Analytical Engines",
      position: null,
      email: "ada@example.com",
      phone: null,
      yearsExperience: null,
      website: null,
      links: [{ id: "a", name: "Site", url: "https://ada.example" }],
    });
    expect(shown({ ...typed, years_experience: "8", website: "ada.example" })).toMatchObject({
      yearsExperience: 8,
      website: "https://ada.example",
    });
  });

  test("is shown without what is kept for the contact file", () => {
    const shownText = { ...saved.shown, email: "file", pronouns: "page" };
    const typed = { ...saved, pronouns: "she/her", shown: shownText };
    expect(shown(typed)).toMatchObject({ email: null, pronouns: "she/her" });
  });
});

function shown(text: typeof saved) {
  return shownContact(changeOf(text), { displayName: "Ada", logoStem: null, avatarStem: null });
}
