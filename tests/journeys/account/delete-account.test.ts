import { describe, expect, test } from "vitest";

import { toastIn } from "#tests/support/app/responses.ts";
import { fieldValue, makeOnlyUserPremium } from "#tests/support/app/cards.ts";
import { listEngines, makeDatabase } from "#tests/support/database/databases.ts";
import { userIdOf, profileForm } from "#tests/support/app/profiles.ts";
import { s3Environment, startS3 } from "#tests/support/storage/s3.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import { locationOf, logIn, readPage } from "#tests/support/app/visitor.ts";
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
    expect(locationOf(gone)).toBe("/");
    expect(gone.headers.get("clear-site-data")).toBe('"storage"');
    expect(toastIn(gone)).toMatchObject({ title: "Your account was deleted" });
    await services.jobs.runDue();

    for (const path of [`/u/${id}`, "/u/ada", `/card/${card}`]) expect((await visitor().get(path)).status).toBe(404);
    expect(locationOf(await ada.get("/profile"))).toBe("/auth?returnTo=%2Fprofile");
    expect((await logIn(visitor(), ada)).status).toBe(400);
    expect({ rows: await readAllRows(services), files: await listStoredFiles(services) }).toEqual(before);
    for (const path of [`/u/${bobs.id}`, `/card/${bobs.card}`, "/profile"])
      expect((await bob.get(path)).status).toBe(200);
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
  expect(locationOf(await ada.post("/account/delete", deleteForm))).toBe("/");
  await readAllRows(services);
  // What operators did stays in their log.
  expect(await listTablesWith(services, id)).toEqual(["operator_log"]);
});

describe("deleting an account", () => {
  test("takes three steps and deletes nothing before the last", async () => {
    const { signedIn, visitor, services } = await createTestApp();
    expect(locationOf(await visitor().get("/account/delete"))).toContain("/auth?returnTo=");
    const ada = await signedIn();
    const send = async (form: Record<string, string>) => (await ada.post("/account/delete", form)).text();
    const leadsBack = (label: string) => expect.stringMatching(`<a [^>]*href="/account"[^>]*>${label}</a>`);
    const html = await readPage(ada, "/account/delete");
    for (const text of ["Are you sure you want to leave?", ">Continue<"]) expect(html).toContain(text);
    expect(html).not.toContain("Your subscription ends immediately");
    expect(html).toEqual(leadsBack("Stay"));
    const why = await send({ intent: "continue" });
    for (const text of ["We&#x27;re sad to see you go!", ">Submit &amp; Continue<"]) expect(why).toContain(text);
    expect(why).toEqual(leadsBack("Cancel"));
    const confirm = await send({ intent: "feedback", feedback: 'Too "quiet" <b>' });
    expect(confirm).toContain(">Delete My Account<");
    expect(confirm).toEqual(leadsBack("Cancel"));
    expect(fieldValue(confirm, "feedback")).toBe("Too &quot;quiet&quot; &lt;b&gt;");
    expect((await ada.get("/profile")).status).toBe(200);
    // With a subscription it lists the features that would be lost.
    await makeOnlyUserPremium(ada, services);
    const premium = await readPage(ada, "/account/delete");
    for (const text of ["Your subscription ends immediately", "Unlimited business cards", "All 6 themes"])
      expect(premium).toContain(text);
  });

  test("rejects another word, long feedback and a form without an intent", async () => {
    const { signedIn } = await createTestApp();
    const ada = await signedIn();
    const long = "a".repeat(2001);
    const cases: [Record<string, string>, string][] = [
      ...["", "delete", "DELETE ", "DELETE\u200b", "DELETEDELETE"].map((confirm): [Record<string, string>, string] => [
        { ...deleteForm, confirm, feedback: "Kept words" },
        "Please type DELETE to confirm.",
      ]),
      [{ intent: "feedback", feedback: long }, "Use at most 2,000 characters."],
      [{ ...deleteForm, feedback: long }, "Use at most 2,000 characters."],
      [{ confirm: "DELETE" }, ""],
    ];
    for (const [form, reason] of cases) {
      const response = await ada.post("/account/delete", form);
      expect(response.status).toBe(400);
      const html = await response.text();
      for (const text of [reason, form["feedback"] ?? ""]) expect(html).toContain(text);
    }
    expect((await ada.get("/profile")).status).toBe(200);
  });

  test("tells the account's address, and the operator the feedback without a name, once each", async () => {
    const { signedIn, mails } = await createTestApp();
    const ada = await signedIn();
    const form = { ...deleteForm, feedback: "Too quiet." };
    const twice = await Promise.all([1, 2].map(() => ada.post("/account/delete", form)));
    for (const { status } of twice) expect(status).toBe(302);
    const sent = await mails();
    const findOnly = (wanted: string) =>
      sent.filter(({ subject }) => subject === wanted).map(({ to, text }) => [to, text]);
    expect(findOnly("Your account was deleted")).toEqual([
      [ada.email, expect.stringContaining("Your account at localhost:3000 was just deleted")],
    ]);
    const [[, feedback] = [], ...others] = findOnly("Feedback from a deleted account at localhost:3000");
    expect(others).toEqual([]);
    expect(feedback).toContain("Too quiet.");
    expect(feedback).not.toContain("ada");
  });

  test("changes nothing when it fails halfway", async () => {
    const { signedIn, services } = await createTestApp();
    const ada = await signedIn();
    const { card } = await fill(ada, services, "ada");
    await services.db.schema.alterTable("subscription").renameTo("subscription_away").execute();
    expect((await ada.post("/account/delete", deleteForm)).status).toBe(500);
    await services.db.schema.alterTable("subscription_away").renameTo("subscription").execute();
    expect((await ada.get(`/cards/edit/${card}`)).status).toBe(200);
  });

  test.each(engines)("frees its email address, and reserves its handles forever, on %s", async (engine) => {
    const { databaseUrl } = await makeDatabase(engine);
    const app = await createTestApp(databaseUrl ? { env: { DATABASE_URL: databaseUrl } } : {});
    const { signedIn, visitor, services } = app;
    const ada = await signedIn();
    const { id } = await fill(ada, services, "ada");
    await ada.post("/account/delete", deleteForm);
    const again = await signedIn();
    expect(await userIdOf(again)).not.toBe(id);
    expect(await services.db.selectFrom("card").selectAll().execute()).toEqual([]);
    for (const user of [await signedIn("mallory@example.com"), again]) {
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
});
