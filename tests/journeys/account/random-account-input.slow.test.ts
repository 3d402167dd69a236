import fc from "fast-check";
import { expect, test } from "vitest";

import { listEngines, makeDatabase } from "#tests/support/database/databases.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";

const odd = fc.oneof(
  fc.string(),
  fc.string({ unit: "binary" }),
  fc.emailAddress(),
  fc.constantFrom(
    "\0",
    "\ud800",
    "a\r\nBcc: b@example.com",
    "a@b.c\0",
    "__proto__",
    '\'; drop table "user"; --',
    "%00",
    "a".repeat(100_000),
  ),
);
const name = fc.constantFrom("intent", "email", "password", "confirm", "pending", "token", "returnTo", "__proto__");
const intent = fc.constantFrom("log-in", "sign-up", "resend", "", "toString");

// PostgreSQL refuses text that SQLite stores.
const engines = listEngines();

test.each(engines)(
  "random input in the account forms never crashes the server, on %s",
  async (engine) => {
    const { visitor } = await openApp(engine);
    const path = fc.constantFrom(
      "/auth",
      "/auth?tab=signup",
      "/forgot-password",
      "/reset-password?token=x",
      "/auth/sign-out",
    );
    await fc.assert(
      fc.asyncProperty(path, intent, fc.array(fc.tuple(name, odd)), async (where, wanted, fields) => {
        expect((await visitor().post(where, [["intent", wanted], ...fields])).status).toBeLessThan(500);
      }),
      { numRuns: 150 },
    );
  },
  60_000,
);

test.each(engines)(
  "random URLs of the account pages never crash the server, on %s",
  async (engine) => {
    const { visitor } = await openApp(engine);
    const path = fc.constantFrom(
      "/auth",
      "/auth/confirm",
      "/reset-password",
      "/forgot-password",
      "/signup",
      "/dev/mail",
      "/profile",
    );
    const query = fc.dictionary(fc.constantFrom("token", "link", "returnTo", "redirect", "tab", "tier"), odd);
    await fc.assert(
      fc.asyncProperty(path, query, async (where, fields) => {
        const address = `${where}?${new URLSearchParams(fields)}`.slice(0, 8000);
        expect((await visitor().get(address)).status).toBeLessThan(500);
      }),
      { numRuns: 150 },
    );
  },
  60_000,
);

test("a body of another type counts as an empty form, and a large one is refused", async () => {
  const { visitor } = await createTestApp();
  const send = (type: string, body: string) =>
    visitor().request("/auth", {
      method: "POST",
      body,
      headers: { origin: "http://localhost:3000", "content-type": type },
    });
  expect((await send("application/json", '{"email":{"$gt":""}}')).status).toBe(400);
  expect((await send("multipart/form-data", "--")).status).toBe(400);
  expect((await send("multipart/form-data; boundary=x", "--x\r\nrubbish")).status).toBe(400);
  expect((await send("application/x-www-form-urlencoded", `email=${"a".repeat(3_000_000)}`)).status).toBe(413);
});

async function openApp(engine: "sqlite" | "postgres") {
  const { databaseUrl } = await makeDatabase(engine);
  return createTestApp({ env: databaseUrl ? { DATABASE_URL: databaseUrl } : {} });
}
