import pino from "pino";
import { expect, test } from "vitest";

import { createTestApp } from "#tests/support/app/test-app.ts";
import { makeDatabase } from "#tests/support/database/databases.ts";

import { checkSecret } from "./prepare-database.ts";

test("warns when secrets.json isn't the one that the database was first used with", async () => {
  const { db } = await makeDatabase("sqlite");
  const lines: string[] = [];
  const log = pino({}, { write: (line) => void lines.push(line) });
  for (const secret of ["first", "first"]) await checkSecret(db, { secret }, log);
  // After a rotation.
  for (const _ of [1, 2]) await checkSecret(db, { secret: "second", previousSecret: "first" }, log);
  expect(lines).toEqual([]);
  await checkSecret(db, { secret: "first" }, log);
  expect(lines.join()).toContain("secrets.json differs from the one that was first used with this database");
});

test("warns once when BASE_URL has changed, with what that breaks", async () => {
  const first = await createTestApp({ env: { BASE_URL: "https://old.example" } });
  const passkey = {
    id: "key",
    owner_id: "ada",
    credential_id: "c",
    public_key: "k",
    name: "Phone",
    created_at: 1,
    counter: 0,
    is_synced: 0 as const,
    transports: "[]",
  };
  await first.services.db.insertInto("passkey").values(passkey).execute();
  const warningsOf = async (baseUrl: string, restarted: typeof first) => {
    const app = await createTestApp({ env: { BASE_URL: baseUrl }, restarted });
    const messages = app.logLines.filter(({ level }) => level === 40).map(({ msg }) => String(msg));
    return { app, messages: messages.filter((text) => text.startsWith("BASE_URL was")) };
  };
  const moved = await warningsOf("https://new.example", first);
  expect(moved.messages).toEqual([
    expect.stringMatching(
      /^BASE_URL was https:\/\/old\.example and is https:\/\/new\.example\. Passkeys \(1\) work only at old\.example\. /,
    ),
  ]);
  const again = await warningsOf("https://new.example", moved.app);
  expect(again.messages).toEqual([]);
});
