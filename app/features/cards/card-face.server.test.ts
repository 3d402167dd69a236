import { expect, test } from "vitest";

import { cardFace } from "./card-face.server.ts";
import { shownContact } from "./contact-shown.ts";
import { noMore } from "./more-fields.ts";

const card = {
  cardName: "Studio",
  profession: "",
  company: "",
  position: "",
  email: "work@ada.example",
  phone: "+44 20 1",
  yearsExperience: null,
  links: [],
  isPublic: true,
  more: noMore(),
};
const drawn = (more: Partial<typeof card.more>) =>
  cardFace(
    shownContact(
      { ...card, more: { ...card.more, ...more } },
      { displayName: "Ada", logoStem: null, avatarStem: null },
    ),
  );

test("a drawn card has the number and the address of work", () => {
  expect(drawn({})).toMatchObject({ email: "work@ada.example", phone: "+44 20 1" });
});

test("where these are for the contact file alone, it has the next ones that may be seen, and never one that may not", () => {
  const phones = [
    { kind: "home" as const, value: "+44 20 2", shown: "file" as const },
    { kind: "mobile" as const, value: "+44 20 3" },
  ];
  const emails = [{ kind: "home" as const, value: "home@ada.example" }];
  const shown = { phone: "file" as const, email: "file" as const };
  expect(drawn({ phones, emails, shown })).toMatchObject({ email: "home@ada.example", phone: "+44 20 3" });
  expect(drawn({ shown })).toMatchObject({ email: "", phone: "" });
});
