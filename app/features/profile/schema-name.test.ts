import { expect, test } from "vitest";

import { plans } from "#app/features/billing/rules.ts";

import { readDraft } from "./editor/form-data.ts";
import { checkProfile } from "./schema.ts";

const draft = { ...readDraft(new FormData()), theme: "default" };
const unnamed = { ownerId: "ada", displayName: "", theme: "default", links: [] };

test.each(["", "  ", "\u200B"])(
  "a name can't be replaced by %j, but a profile that never had one may stay so",
  (blank) => {
    const typed = { ...draft, displayName: blank };
    const named = { ...unnamed, displayName: "Ada" };
    expect(checkProfile(typed, { plan: plans.free, stored: named })).toEqual({
      errors: { displayName: "Enter your name." },
    });
    expect(checkProfile(typed, { plan: plans.free, stored: unnamed })).toMatchObject({ change: { displayName: "" } });
  },
);
