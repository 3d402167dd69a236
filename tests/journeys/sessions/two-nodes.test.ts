import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { adminEmail, createOperatedApp } from "#tests/support/admin/operated-app.ts";
import { userIdOf } from "#tests/support/app/profiles.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import type { TestApp } from "#tests/support/app/test-app.ts";
import type { Visitor } from "#tests/support/app/visitor.ts";
import { cleanUpAfterTest } from "#tests/support/cleanup.ts";
import { listEngines, makeDatabase } from "#tests/support/database/databases.ts";

describe.runIf(listEngines().includes("postgres"))("on two nodes with one PostgreSQL", () => {
  test("a session that ended on one is refused by the other at once", async () => {
    const { ada, first, second } = await openNodes();
    const phone = await signIn(second, ada);
    const onFirst = sameBrowser(first, phone);
    expect((await onFirst.get("/account")).status).toBe(200);
    expect((await ada.post("/account/sessions", { intent: "end-others" })).status).toBe(302);
    for (const browser of [phone, onFirst]) expect((await browser.get("/account")).status).toBe(302);
    const desktop = sameBrowser(second, ada);
    expect((await desktop.get("/account")).status).toBe(200);
    await ada.post("/auth/sign-out", {});
    expect((await desktop.get("/account")).status).toBe(302);
  });

  test("a blocked account is signed out and refused by the other at once", async () => {
    const { admin, ada, second } = await openNodes();
    const phone = await signIn(second, ada);
    await admin.post(`/admin/users/${await userIdOf(ada)}`, { intent: "block", reason: "Spam" });
    expect((await phone.get("/account")).status).toBe(302);
    expect((await logIn(second.visitor(), ada)).status).toBe(403);
  });

  test("a password that changed on one ends sessions on the other, which accepts only the new one", async () => {
    const { ada, second } = await openNodes();
    const phone = await signIn(second, ada);
    const words = { current: ada.password, password: "another long word", confirm: "another long word" };
    await ada.post("/account", { intent: "change-password", ...words });
    expect((await phone.get("/account")).status).toBe(302);
    expect((await logIn(second.visitor(), ada)).status).toBe(400);
    expect((await logIn(second.visitor(), { ...ada, password: words.password })).status).toBe(302);
  });
});

/** Two nodes with the same secrets. `ada` is signed in on the first, where `admin` is an operator. */
async function openNodes() {
  const { databaseUrl: DATABASE_URL = "" } = await makeDatabase("postgres");
  const first = await createOperatedApp({ DATABASE_URL });
  const DATA_DIR = mkdtempSync(join(tmpdir(), "meishi-node-"));
  cleanUpAfterTest(() => rmSync(DATA_DIR, { recursive: true, force: true }));
  copyFileSync(join(first.dataDir, "secrets.json"), join(DATA_DIR, "secrets.json"));
  const second = await createTestApp({ env: { DATABASE_URL, DATA_DIR, ADMIN_EMAILS: adminEmail } });
  return { first, second, admin: first.admin, ada: await first.signedIn("ada@example.com") };
}

type Credentials = { email: string; password: string };

function logIn(browser: Visitor, { email, password }: Credentials) {
  return browser.post("/auth", { intent: "log-in", email, password });
}

async function signIn(node: Pick<TestApp, "visitor">, user: Credentials): Promise<Visitor> {
  const browser = node.visitor();
  await logIn(browser, user);
  expect((await browser.get("/account")).status).toBe(200);
  return browser;
}

/** The browser as the balancer would send it to this node. */
function sameBrowser(node: Pick<TestApp, "visitor">, { cookies }: Visitor): Visitor {
  const browser = node.visitor();
  for (const [name, value] of cookies) browser.cookies.set(name, value);
  return browser;
}
