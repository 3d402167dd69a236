import { expect, test } from "vitest";

import { toCardImageData } from "./card-image-data.server.ts";
import { toCardViewModel } from "#app/features/cards/card-view-model.ts";
import { newCard } from "#app/features/cards/rules.ts";

const card = { ...newCard({ displayName: "Ada", links: [] }), email: "work@ada.example", phone: "+44 20 1" };
const drawn = (more: Partial<typeof card>) =>
  toCardImageData(toCardViewModel({ ...card, ...more }, { displayName: "Ada", logoKey: null, avatarKey: null }));

test("a drawn card shows the first visible phone number and email address, those of work first", () => {
  expect(drawn({})).toMatchObject({ email: "work@ada.example", phone: "+44 20 1" });
  const phones = [
    { kind: "home" as const, value: "+44 20 2", visibility: "file" as const },
    { kind: "mobile" as const, value: "+44 20 3" },
  ];
  const emails = [{ kind: "home" as const, value: "home@ada.example" }];
  const visibility = { phone: "file" as const, email: "file" as const };
  expect(drawn({ phones, emails, visibility })).toMatchObject({ email: "home@ada.example", phone: "+44 20 3" });
  expect(drawn({ visibility })).toMatchObject({ email: "", phone: "" });
});
