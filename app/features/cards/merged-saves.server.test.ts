import { expect, test } from "vitest";

import { plans } from "#app/features/billing/rules.ts";
import { mergeValues } from "#app/ui/forms/merge-values.ts";
import { describeOnEachDatabase } from "#tests/support/database/databases.ts";
import { insertProfile } from "#tests/support/database/seed.ts";
import { makeWriteServices } from "#tests/support/database/write-services.ts";

import { addressFields, mapFields, optionalTextNames } from "./card-fields.ts";
import { createCard, findOwnCard, saveCard } from "./data.server.ts";
import type { DecideCard } from "./data.server.ts";
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
    const results = await Promise.all(
      changes.map((changed) => {
        const mine = { ...change, ...changed };
        const decide: DecideCard = async (_, current) => {
          const other = Object.fromEntries(Object.entries(current).filter(([field]) => field in change));
          return mergeValues({ base: change, mine, other: { ...change, ...other } }).values;
        };
        return saveCard(services, { ownerId: "ada", id, version: 1, change: mine, now: 2_000, decide });
      }),
    );
    expect(results).toEqual(changes.map(() => ({ kind: "saved" })));
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
