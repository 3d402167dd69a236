import { expect, inject, test } from "vitest";

import { environment } from "#app/services/config.server.ts";

import { describeOnEachDatabase } from "./databases.ts";

test("where it counts (CI), the tests run on PostgreSQL too", () => {
  const postgres = inject("postgres");
  const missing = "missing" in postgres ? postgres.missing : "";
  expect(environment().CI ? missing : "", "install PostgreSQL's server programs (Debian: postgresql)").toBe("");
});

describeOnEachDatabase("a test's database", (makeDb) => {
  test("is its own", async () => {
    const [one, other] = await Promise.all([makeDb(), makeDb()]);
    await one.insertInto("setting").values({ name: "a", value: "" }).execute();
    expect(await other.selectFrom("setting").selectAll().execute()).toEqual([]);
  });
});
