import pino from "pino";
import { expect, test } from "vitest";

import { makeDatabase } from "#tests/support/database/databases.ts";

import { checkSecret } from "./prepare-database.ts";

test("warns when secrets.json isn't the one that the database was first used with", async () => {
  const { db } = await makeDatabase("sqlite");
  const lines: string[] = [];
  const log = pino({}, { write: (line) => void lines.push(line) });
  for (const secret of ["first", "first"]) await checkSecret(db, secret, log);
  expect(lines).toEqual([]);
  await checkSecret(db, "other", log);
  expect(lines.join()).toContain("secrets.json differs from the one that was first used with this database");
});
