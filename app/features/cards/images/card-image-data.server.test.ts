import { expect, test } from "vitest";

import { toCardImageData } from "./card-image-data.server.ts";
import { toCardViewModel } from "#app/features/cards/card-view-model.ts";
import { defaultDesign } from "#app/features/cards/card-design.ts";
import { emptyOptionalFields } from "#app/features/cards/card-fields.ts";

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
  design: defaultDesign,
  ...emptyOptionalFields(),
};
const drawn = (more: Partial<typeof card>) =>
  toCardImageData(toCardViewModel({ ...card, ...more }, { displayName: "Ada", logoKey: null, avatarKey: null }));

test("a drawn card shows the work phone number and email address", () => {
  expect(drawn({})).toMatchObject({ email: "work@ada.example", phone: "+44 20 1" });
});

test("a drawn card shows the first visible phone number and email address when those of work are hidden", () => {
  const phones = [
    { kind: "home" as const, value: "+44 20 2", visibility: "file" as const },
    { kind: "mobile" as const, value: "+44 20 3" },
  ];
  const emails = [{ kind: "home" as const, value: "home@ada.example" }];
  const visibility = { phone: "file" as const, email: "file" as const };
  expect(drawn({ phones, emails, visibility })).toMatchObject({ email: "home@ada.example", phone: "+44 20 3" });
  expect(drawn({ visibility })).toMatchObject({ email: "", phone: "" });
});
