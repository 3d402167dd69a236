import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { listEngines, makeDatabase } from "#tests/support/database/databases.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";

const texts = ["\0", "\ud800", "a\r\nBcc: b@example.com", "a@b.c\0", "__proto__", `'; drop table "user"; --`, "%00"];
const odd = fc.oneof(
  fc.string(),
  fc.string({ unit: "binary" }),
  fc.emailAddress(),
  fc.constantFrom(...texts, "a".repeat(100_000)),
);
const name = fc.constantFrom("intent", "email", "password", "confirm", "pending", "token", "returnTo", "__proto__");
const intent = fc.constantFrom("log-in", "sign-up", "resend", "", "toString");

const readList = (text: string) => text.split(" ");

// PostgreSQL refuses text that SQLite stores.
describe.each(listEngines())("random input never crashes the server, on %s", (engine) => {
  async function openApp() {
    const { databaseUrl } = await makeDatabase(engine);
    return createTestApp({ env: databaseUrl ? { DATABASE_URL: databaseUrl } : {} });
  }

  test("in the account forms", async () => {
    const { visitor } = await openApp();
    const path = fc.constantFrom(
      ...readList("/auth /auth?tab=signup /forgot-password /reset-password?token=x /auth/sign-out"),
    );
    await fc.assert(
      fc.asyncProperty(path, intent, fc.array(fc.tuple(name, odd)), async (where, wanted, fields) => {
        expect((await visitor().post(where, [["intent", wanted], ...fields])).status).toBeLessThan(500);
      }),
      { numRuns: 150 },
    );
  });

  test("in URLs of the account pages", async () => {
    const { visitor } = await openApp();
    const path = fc.constantFrom(
      ...readList("/auth /auth/confirm /reset-password /forgot-password /signup /dev/mail /profile"),
    );
    const query = fc.dictionary(fc.constantFrom("token", "link", "returnTo", "redirect", "tab", "tier"), odd);
    await fc.assert(
      fc.asyncProperty(path, query, async (where, fields) => {
        const address = `${where}?${new URLSearchParams(fields)}`.slice(0, 8000);
        expect((await visitor().get(address)).status).toBeLessThan(500);
      }),
      { numRuns: 150 },
    );
  });
});
