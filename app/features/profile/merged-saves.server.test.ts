import { expect, test } from "vitest";

import { mergeValues } from "#app/ui/forms/merge-values.ts";
import { describeOnEachDatabase } from "#tests/support/database/databases.ts";
import { plainProfile as empty, readableSign as sign } from "#tests/support/database/profile-changes.ts";
import { insertProfile } from "#tests/support/database/seed.ts";
import { makeWriteServices } from "#tests/support/database/write-services.ts";

import { findProfile, saveProfile } from "./data.server.ts";
import type { ProfileChange, ProfileLink } from "./data.server.ts";

const now = 1_790_000_000_000;

const plainLink: Omit<ProfileLink, "id"> = {
  kind: "link",
  label: "Blog",
  url: "https://a.example",
  on: true,
  from: null,
  until: null,
  tab: null,
};

/** The fields that the owner may change. */
function pickChange(profile: ProfileChange): ProfileChange {
  const { displayName, bio, theme, links, showBusinessCard, isListed, handle, contactCardId } = profile;
  return { displayName, bio, theme, links, showBusinessCard, isListed, handle, contactCardId };
}

describeOnEachDatabase("a profile in twenty tabs", (makeDb) => {
  test("merges twenty concurrent saves of different fields and loses none", async () => {
    const db = await makeDb();
    await insertProfile(db);
    const links = Array.from({ length: 19 }, (_, index): ProfileLink => ({ ...plainLink, id: `link-${index}` }));
    const base = { ...empty, links };
    const deps = await makeWriteServices(db);
    await saveProfile(deps, { ownerId: "ada", version: 1, change: base, now, sign });
    const changes = links.map((link): Partial<ProfileChange> => ({
      links: links.map((other) => (other === link ? { ...other, label: `Changed ${other.id}` } : other)),
    }));
    const results = await Promise.all(
      [...changes, { bio: "Changed" }].map(async (changed) => {
        const change = { ...base, ...changed };
        const merge = (current: ProfileChange) =>
          mergeValues({ base, mine: change, other: pickChange(current) }).values;
        return saveProfile(deps, { ownerId: "ada", version: 2, change, now, sign, merge });
      }),
    );
    expect(results).toEqual(Array.from({ length: 20 }, () => ({ kind: "saved" })));
    const stored = await findProfile(db, "ada");
    expect(stored).toMatchObject({ bio: "Changed", version: 22 });
    expect(stored?.links.map(({ label }) => label)).toEqual(links.map(({ id }) => `Changed ${id}`));
  });
});
