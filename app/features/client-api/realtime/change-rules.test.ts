import { expect, test } from "vitest";

import type { NewEvent } from "#app/services/events/event.ts";

import { toChange, writeChange } from "./change-rules.ts";

const own = { id: "event", ownerId: "ada" };
const changeOf = (event: NewEvent) => toChange({ ...own, ...event, ownerId: "ada" });

test("what a row shows is a change of it, also when it's stored elsewhere", () => {
  const profile = { type: "UPDATE", table: "profiles", id: "ada", ownerId: "ada" };
  for (const slot of ["avatar", "banner", "resume"]) {
    expect(changeOf({ kind: "file.saved", ownerId: "ada", slot })).toEqual(profile);
    expect(changeOf({ kind: "file.removed", ownerId: "ada", slot })).toEqual(profile);
  }
  expect(changeOf({ kind: "plan.changed", ownerId: "ada" })).toEqual(profile);
  expect(changeOf({ kind: "file.saved", ownerId: "ada", slot: "logo:card" })).toBeUndefined();
  expect(changeOf({ kind: "lead.created", ownerId: "ada", leadId: "lead", cardId: "card" })).toBeUndefined();
});

test("a change names the type of each column that it has", () => {
  const change = { type: "UPDATE", table: "business_cards", id: "1", ownerId: "ada" } as const;
  const row = { id: "1", years_experience: 2, is_public: true, professional_links: [], phone: null, email: "a@b.c" };
  const select = ["id", "years_experience", "is_public", "professional_links", "phone"];
  expect(writeChange(change, { row, select, now: 0 })).toEqual({
    schema: "public",
    table: "business_cards",
    commit_timestamp: "1970-01-01T00:00:00.000Z",
    type: "UPDATE",
    columns: [
      { name: "id", type: "text" },
      { name: "years_experience", type: "float8" },
      { name: "is_public", type: "bool" },
      { name: "professional_links", type: "jsonb" },
      { name: "phone", type: "text" },
    ],
    record: { id: "1", years_experience: 2, is_public: true, professional_links: [], phone: null },
    old_record: { id: "1" },
    errors: null,
  });
});
