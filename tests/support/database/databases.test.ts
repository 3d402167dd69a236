import { expect, inject, test } from "vitest";

import { environment } from "#app/services/config/config.server.ts";

import { describeOnEachDatabase } from "./databases.ts";

test("CI has a PostgreSQL server", () => {
  const postgres = inject("postgres");
  const missing = "missing" in postgres ? postgres.missing : "";
  expect(environment().CI ? missing : "", "install PostgreSQL's server programs (Debian: postgresql)").toBe("");
});

describeOnEachDatabase("the database of a test", (makeDb) => {
  test("is separate from others", async () => {
    const [one, other] = await Promise.all([makeDb(), makeDb()]);
    await one.insertInto("setting").values({ name: "a", value: "" }).execute();
    expect(await other.selectFrom("setting").selectAll().execute()).toEqual([]);
  });
});
