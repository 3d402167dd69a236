import { expect, test } from "vitest";

import { toFormValues } from "#app/features/cards/card-form.ts";
import { newCard } from "#app/features/cards/rules.ts";
import type { Card, CardInput } from "#app/features/cards/schema.ts";
import { readMergeRequest } from "#app/ui/forms/versioned-values.ts";

import { mergeCard, mergeDisplayName } from "./card-save.server.ts";

const opened: CardInput = {
  ...newCard({ displayName: "Ada", links: [{ id: "a", label: "Site", url: "https://ada.example" }] }),
  email: "ada@example.com",
  phones: [{ kind: "mobile", value: "+44 1.2" }],
};
const stored = {
  id: "card",
  code: "abcdefg",
  ownerId: "ada",
  logoKey: null,
  isPaused: false,
  listPosition: 0,
  version: 2,
};
const asCard = (input: CardInput): Card => ({ ...input, ...stored, createdAt: 0, updatedAt: 0 });

/** A form that was opened with `opened` and the name "Ada", while another tab saved `other`. */
function merge(
  mine: Partial<CardInput>,
  other: Partial<CardInput>,
  { name = "Ada", otherName = "Ada", answers = {} } = {},
) {
  const form = new FormData();
  for (const [field, value] of Object.entries({ base: JSON.stringify(toFormValues(opened, "Ada")), ...answers }))
    form.append(field, value);
  const request = readMergeRequest(form);
  const change = { change: { ...opened, ...mine }, displayName: name, version: 1, request, maxLinks: 8 };
  return mergeCard(change, { card: asCard({ ...opened, ...other }), displayName: otherName });
}

test("merges other fields, other phones and another name of the profile", () => {
  const phone = { kind: "home" as const, value: "+44 3" };
  const merged = merge(
    { company: "Engines", phones: [...opened.phones, phone] },
    { position: "Head", phones: [{ kind: "work", value: "+44 1.2", visibility: "file" }] },
    { otherName: "Ada Lovelace" },
  );
  const phones = [{ kind: "work", value: "+44 1.2", visibility: "file" }, phone];
  const texts = { company: "Engines", position: "Head", email: "ada@example.com" };
  expect(merged).toMatchObject({ displayName: "Ada Lovelace", change: { ...texts, phones } });
});

test("asks about fields that both changed, with both values in words", () => {
  const link = (url: string) => [{ id: "a", name: "Site", url }];
  const merged = merge(
    { company: "Mine", isPublic: false, visibility: { email: "page" }, links: link("https://mine.example") },
    { company: "Other", visibility: { email: "file" }, links: link("https://other.example") },
    { name: "Countess", otherName: "Ada Lovelace" },
  );
  expect(merged).toEqual({
    conflicts: [
      { path: "company", label: "Company", mine: "Mine", other: "Other" },
      { path: "display_name", label: "Display name", mine: "Countess", other: "Ada Lovelace" },
      { path: "links.a.url", label: "“Site”: URL", mine: "https://mine.example", other: "https://other.example" },
      { path: "visibility.email", label: "Email visibility", mine: "Page only", other: "Contact only" },
    ],
  });
});

test("asks about a phone that one side removed and the other changed", () => {
  const changed = { phones: [{ kind: "home" as const, value: "+44 1.2" }] };
  expect(merge(changed, { phones: [] })).toEqual({
    conflicts: [{ path: "phones.saved-+44 1.2", label: "“+44 1.2”", mine: "Home: +44 1.2", other: "Removed" }],
  });
});

test("follows the answers to the values that were shown", () => {
  const answers = { replaces: "2", "keep.company": "other", "keep.position": "mine" };
  expect(
    merge({ company: "Mine", position: "Mine" }, { company: "Other", position: "Other" }, { answers }),
  ).toMatchObject({ change: { company: "Other", position: "Mine" } });
});

test("a new card asks about a name that was changed elsewhere, and only then", () => {
  const form = new FormData();
  form.append("base", JSON.stringify({ display_name: "Ada" }));
  const request = readMergeRequest(form);
  const change = { change: opened, displayName: "Countess", version: 0, request, maxLinks: 8 };
  expect(mergeDisplayName(change, "Ada")).toEqual({ displayName: "Countess" });
  expect(mergeDisplayName({ ...change, displayName: "Ada" }, "Ada Lovelace")).toEqual({ displayName: "Ada Lovelace" });
  expect(mergeDisplayName(change, "Ada Lovelace")).toEqual({
    conflicts: [{ path: "display_name", label: "Display name", mine: "Countess", other: "Ada Lovelace" }],
  });
});
