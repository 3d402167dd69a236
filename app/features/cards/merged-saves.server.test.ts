import { expect, test } from "vitest";

import { plans } from "#app/features/billing/rules.ts";
import { mapFields } from "#app/services/base/form-fields.ts";
import { transact } from "#app/services/database/database.server.ts";
import { lockOwner } from "#app/services/database/owner-lock.server.ts";
import { mergeValues } from "#app/ui/forms/merge-values.ts";
import { describeOnEachDatabase } from "#tests/support/database/databases.ts";
import { insertProfile } from "#tests/support/database/seed.ts";
import { makeWriteServices } from "#tests/support/database/write-services.ts";

import { addressFields, optionalTextNames } from "./card-fields.ts";
import { createCard, findOwnCard, writeCard } from "./data.server.ts";
import { newCard } from "./rules.ts";

const change = newCard({ displayName: "Ada", links: [{ id: "site", label: "Site", url: "https://ada.example" }] });

describeOnEachDatabase("a card in 20 tabs", (makeDb) => {
  test("merges 20 concurrent tabs that changed different fields, with the number of years to two decimals", async () => {
    const db = await makeDb();
    await insertProfile(db);
    const services = await makeWriteServices(db);
    const id = crypto.randomUUID();
    await createCard(services, { ownerId: "ada", plan: plans.free, id, change, now: 1_000 });
    const texts = ["profession", "company", ...optionalTextNames] as const;
    const newLinks = ["a", "b", "c", "d"].map((name) => ({ id: name, name, url: "https://x.example" }));
    const changes = [
      ...texts.map((field) => ({ [field]: `Tab ${field}` })),
      ...addressFields.map((field) => ({ address: { ...change.address, [field]: `Tab ${field}` } })),
      ...newLinks.map((link) => ({ links: [...change.links, link] })),
      { yearsExperience: 2.25 },
      { phones: [{ kind: "home" as const, value: "+44 1" }] },
      { isPublic: false },
    ];
    await Promise.all(
      changes.map((changed) => {
        const mine = { ...change, ...changed };
        return transact(db, async (trx) => {
          await lockOwner(trx, "ada");
          const current = await findOwnCard(trx, { ownerId: "ada", id });
          const other = Object.fromEntries(Object.entries(current ?? {}).filter(([field]) => field in change));
          const { values } = mergeValues({ base: change, mine, other: { ...change, ...other } });
          await writeCard(trx, services.events, { ownerId: "ada", id, change: values, now: 2_000 });
        });
      }),
    );
    const stored = await findOwnCard(db, { ownerId: "ada", id });
    expect(stored).toMatchObject(mapFields(texts, (field) => `Tab ${field}`));
    expect(stored).toMatchObject({
      address: mapFields(addressFields, (field) => `Tab ${field}`),
      yearsExperience: 2.25,
      phones: [{ kind: "home", value: "+44 1" }],
      isPublic: false,
      version: changes.length + 1,
    });
    expect(stored?.links.map(({ name }) => name).toSorted()).toEqual(["Site", "a", "b", "c", "d"]);
  });
});
