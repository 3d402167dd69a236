import { describe, expect, test } from "vitest";

import { toastIn } from "#tests/support/app/responses.ts";
import { makeOnlyUserPremium } from "#tests/support/app/cards.ts";
import { listEngines, makeDatabase } from "#tests/support/database/databases.ts";
import { userIdOf, profileForm } from "#tests/support/app/profiles.ts";
import { s3Environment, startS3 } from "#tests/support/storage/s3.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import {
  fillAccount as fill,
  inventRows,
  listStoredFiles,
  listTablesWith,
  readAllRows,
} from "#tests/support/app/account-data.ts";

const deleteForm = { intent: "delete", confirm: "DELETE" };

const engines = listEngines();
const setups = engines.flatMap((engine) => (["a folder", "S3"] as const).map((store) => ({ engine, store })));

describe.each(setups)("a deleted account, on $engine with $store", ({ engine, store }) => {
  test("leaves no data, and doesn't touch other accounts", async () => {
    const { databaseUrl } = await makeDatabase(engine);
    const s3 = store === "S3" ? s3Environment(await startS3()) : {};
    const product = await createTestApp({ env: { ...(databaseUrl && { DATABASE_URL: databaseUrl }), ...s3 } });
    const { signedIn, visitor, services } = product;
    const bob = await signedIn("bob@example.com");
    const bobs = await fill(bob, services, "bob");
    const before = { rows: await readAllRows(services), files: await listStoredFiles(services) };
    const ada = await signedIn();
    const { id, card } = await fill(ada, services, "ada");
    expect((await listStoredFiles(services)).length).toBe(2 * before.files.length);
    for (const path of [`/u/${id}`, "/u/ada", `/card/${card}`]) await visitor().get(path);
    await services.counter.flush();

    const gone = await ada.post("/account/delete", deleteForm);
    expect(gone.headers.get("location")).toBe("/");
    expect(gone.headers.get("clear-site-data")).toBe('"storage"');
    expect(toastIn(gone)).toMatchObject({ title: "Your account was deleted" });
    await services.jobs.runDue();

    for (const path of [`/u/${id}`, "/u/ada", `/card/${card}`]) expect((await visitor().get(path)).status).toBe(404);
    expect((await ada.get("/profile")).headers.get("location")).toBe("/auth?returnTo=%2Fprofile");
    const login = await visitor().post("/auth", { intent: "log-in", email: ada.email, password: ada.password });
    expect(login.status).toBe(400);
    expect({ rows: await readAllRows(services), files: await listStoredFiles(services) }).toEqual(before);
    expect((await visitor().get(`/u/${bobs.id}`)).status).toBe(200);
    expect((await visitor().get(`/card/${bobs.card}`)).status).toBe(200);
    expect((await bob.get("/profile")).status).toBe(200);
  });
});

/** Of these, rows mean something elsewhere: passes in wallets, a customer at Stripe. They have tests of their own. */
const linkedElsewhere = ["google_pass", "wallet_pass", "stripe_customer"];

test.each(engines)("a deleted account leaves nothing in any table with an owner, on %s", async (engine) => {
  const { databaseUrl } = await makeDatabase(engine);
  const { signedIn, services } = await createTestApp(databaseUrl ? { env: { DATABASE_URL: databaseUrl } } : {});
  const ada = await signedIn();
  const { id } = await fill(ada, services, "ada");
  // A blocked account can't be deleted by its owner.
  await inventRows(services, id, ["account_block", "event", ...linkedElsewhere]);
  expect((await listTablesWith(services, id)).length).toBeGreaterThan(35);
  expect((await ada.post("/account/delete", deleteForm)).headers.get("location")).toBe("/");
  await readAllRows(services);
  // What operators did stays in their log.
  expect(await listTablesWith(services, id)).toEqual(["operator_log"]);
});

describe("deleting an account", () => {
  test("takes three steps and deletes nothing before the last", async () => {
    const { signedIn, visitor } = await createTestApp();
    expect((await visitor().get("/account/delete")).headers.get("location")).toContain("/auth?returnTo=");
    const ada = await signedIn();
    const html = await (await ada.get("/account/delete")).text();
    expect(html).toContain("Are you sure you want to leave?");
    expect(html).not.toContain("Your subscription ends immediately");
    for (const button of ["Stay", "Continue"]) expect(html).toContain(`>${button}<`);
    const leadsBack = (label: string) => expect.stringMatching(`<a [^>]*href="/account"[^>]*>${label}</a>`);
    expect(html).toEqual(leadsBack("Stay"));
    const why = await (await ada.post("/account/delete", { intent: "continue" })).text();
    expect(why).toContain("We&#x27;re sad to see you go!");
    expect(why).toContain(">Submit &amp; Continue<");
    expect(why).toEqual(leadsBack("Cancel"));
    const form = { intent: "feedback", feedback: 'Too "quiet" <b>' };
    const confirm = await (await ada.post("/account/delete", form)).text();
    expect(confirm).toContain(">Delete My Account<");
    expect(confirm).toEqual(leadsBack("Cancel"));
    expect(confirm).toContain('value="Too &quot;quiet&quot; &lt;b&gt;"');
    expect((await ada.get("/profile")).status).toBe(200);
  });

  test.each(["", "delete", "DELETE ", "DELETE\u200b", "Delete", "DELETEDELETE"])(
    "rejects another word: %j",
    async (confirm) => {
      const { signedIn } = await createTestApp();
      const ada = await signedIn();
      const response = await ada.post("/account/delete", { ...deleteForm, confirm, feedback: "Kept words" });
      expect(response.status).toBe(400);
      const html = await response.text();
      expect(html).toContain("Please type DELETE to confirm.");
      expect(html).toContain("Kept words");
      expect((await ada.get("/profile")).status).toBe(200);
    },
  );

  test("lists the features of the subscription that would be lost", async () => {
    const { signedIn, services } = await createTestApp();
    const ada = await signedIn();
    await makeOnlyUserPremium(ada, services);
    const html = await (await ada.get("/account/delete")).text();
    for (const text of ["Your subscription ends immediately", "Unlimited business cards", "All 6 themes"]) {
      expect(html).toContain(text);
    }
  });

  test("sends the feedback to the operator once, without a name", async () => {
    const { signedIn, mails } = await createTestApp();
    const ada = await signedIn();
    const twice = await Promise.all(
      [1, 2].map(() => ada.post("/account/delete", { ...deleteForm, feedback: "Too quiet." })),
    );
    for (const { status } of twice) expect(status).toBe(302);
    const told = (await mails()).filter(
      ({ subject }) => subject === "Feedback from a deleted account at localhost:3000",
    );
    expect(told).toHaveLength(1);
    expect(told[0]?.text).toContain("Too quiet.");
    expect(told[0]?.text).not.toContain("ada");
  });

  test("rejects long feedback and unknown intents", async () => {
    const { signedIn } = await createTestApp();
    const ada = await signedIn();
    for (const intent of ["feedback", "delete"]) {
      const response = await ada.post("/account/delete", { intent, confirm: "DELETE", feedback: "a".repeat(2001) });
      expect(response.status).toBe(400);
      expect(await response.text()).toContain("Use at most 2,000 characters.");
    }
    expect((await ada.post("/account/delete", { confirm: "DELETE" })).status).toBe(400);
    const evil = { origin: "https://evil.example" };
    expect((await ada.post("/account/delete", deleteForm, evil)).status).toBe(403);
    expect((await ada.get("/profile")).status).toBe(200);
  });

  test("changes nothing when it fails halfway", async () => {
    const { signedIn, services } = await createTestApp();
    const ada = await signedIn();
    const { card } = await fill(ada, services, "ada");
    await services.db.schema.alterTable("subscription").renameTo("subscription_away").execute();
    const response = await ada.post("/account/delete", { ...deleteForm, feedback: "Kept words" });
    expect(response.status).toBe(500);
    await services.db.schema.alterTable("subscription_away").renameTo("subscription").execute();
    expect((await ada.get(`/cards/edit/${card}`)).status).toBe(200);
  });

  test("frees the email address for a new, empty account", async () => {
    const { signedIn, services } = await createTestApp();
    const ada = await signedIn();
    const { id } = await fill(ada, services, "ada");
    await ada.post("/account/delete", deleteForm);
    const again = await signedIn();
    expect(await userIdOf(again)).not.toBe(id);
    expect(await services.db.selectFrom("card").selectAll().execute()).toEqual([]);
  });

  test.each(engines)("reserves its handles forever, on %s", async (engine) => {
    const { databaseUrl } = await makeDatabase(engine);
    const { signedIn, visitor, services } = await createTestApp(
      databaseUrl ? { env: { DATABASE_URL: databaseUrl } } : {},
    );
    const ada = await signedIn();
    await fill(ada, services, "ada");
    await ada.post("/account/delete", deleteForm);
    for (const user of [await signedIn("mallory@example.com"), await signedIn()]) {
      for (const handle of ["ada", "Ada", "ada-old"]) {
        const refused = await user.post("/profile", profileForm({ handle, displayName: "Mallory" }));
        expect(refused.status).toBe(422);
        expect(await refused.text()).toContain("This handle is taken. Choose another.");
        expect((await visitor().get(`/u/${handle}`)).status).toBe(404);
      }
    }
    const stored = await services.db.selectFrom("retired_handle").selectAll().execute();
    expect(stored).toHaveLength(2);
    for (const { hash } of stored) expect(hash).toMatch(/^[\w-]{43}$/);
  });

  test("notifies the account's address once", async () => {
    const { signedIn, mails } = await createTestApp();
    const ada = await signedIn();
    await Promise.all([1, 2].map(() => ada.post("/account/delete", deleteForm)));
    const told = (await mails()).filter(({ subject }) => subject === "Your account was deleted");
    expect(told.map(({ to }) => to)).toEqual([ada.email]);
    expect(told[0]?.text).toContain("Your account at localhost:3000 was just deleted");
  });
});
