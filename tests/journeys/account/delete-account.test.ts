import { describe, expect, test } from "vitest";

import { defaultOptions } from "#app/features/avatar/rules.ts";
import type { Engine } from "#app/services/database/database.server.ts";
import {
  fillAccount,
  inventRows,
  listStoredFiles,
  listTablesWith,
  readAllRows,
} from "#tests/support/app/account-data.ts";
import { cardFields, fieldValue, makeOnlyUserPremium } from "#tests/support/app/cards.ts";
import { listForms } from "#tests/support/app/forms.ts";
import { profileForm, userIdOf } from "#tests/support/app/profiles.ts";
import { toastIn } from "#tests/support/app/responses.ts";
import { createSignedInApp, createTestApp } from "#tests/support/app/test-app.ts";
import { jpeg, pdf } from "#tests/support/app/uploads.ts";
import { locationOf, logIn, readPage } from "#tests/support/app/visitor.ts";
import type { Visitor } from "#tests/support/app/visitor.ts";
import { listEngines, makeDatabase } from "#tests/support/database/databases.ts";
import { s3Environment, startS3 } from "#tests/support/storage/s3.ts";

const deleteForm = { intent: "delete", confirm: "DELETE" };

const engines = listEngines();
const setups = engines.flatMap((engine) => (["a folder", "S3"] as const).map((store) => ({ engine, store })));

async function open(engine: Engine, store = "a folder") {
  const { databaseUrl } = await makeDatabase(engine);
  const s3 = store === "S3" ? s3Environment(await startS3()) : {};
  return createTestApp({ env: { ...(databaseUrl && { DATABASE_URL: databaseUrl }), ...s3 } });
}

describe.each(setups)("a deleted account, on $engine with $store", ({ engine, store }) => {
  test("leaves no data, and doesn't touch other accounts", async () => {
    const { signedIn, visitor, services } = await open(engine, store);
    const bob = await signedIn("bob@example.com");
    const bobs = await fillAccount(bob, services, "bob");
    const before = { rows: await readAllRows(services), files: await listStoredFiles(services) };
    const ada = await signedIn();
    const { id, card } = await fillAccount(ada, services, "ada");
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
  const { signedIn, services } = await open(engine);
  const ada = await signedIn();
  const { id } = await fillAccount(ada, services, "ada");
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
    const { signedIn, services } = await createTestApp();
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
    const { ada } = await createSignedInApp();
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
    const { ada, mails } = await createSignedInApp();
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
    const { ada, services } = await createSignedInApp();
    const { card } = await fillAccount(ada, services, "ada");
    await services.db.schema.alterTable("subscription").renameTo("subscription_away").execute();
    expect((await ada.post("/account/delete", deleteForm)).status).toBe(500);
    await services.db.schema.alterTable("subscription_away").renameTo("subscription").execute();
    expect((await ada.get(`/cards/edit/${card}`)).status).toBe(200);
  });

  test.each(engines)("frees its email address, and reserves its handles forever, on %s", async (engine) => {
    const { signedIn, visitor, services } = await open(engine);
    const ada = await signedIn();
    const { id } = await fillAccount(ada, services, "ada");
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

describe.each(setups)("an account that is deleted during its requests, on $engine with $store", ({ engine, store }) => {
  test("isn't restored by a form or file that ends later", async () => {
    const { signedIn, services, logLines } = await open(engine, store);
    const before = { rows: await readAllRows(services), files: await listStoredFiles(services) };
    const ada = await signedIn();
    const { card } = await fillAccount(ada, services, "ada");
    const held = [...formsOf(card), ...(await filesOf(card))].map((one) => startSlowRequest(ada, one));
    // Each request was authenticated as Ada.
    await Promise.all(held.map(({ isRead }) => isRead));
    expect(locationOf(await ada.post("/account/delete", deleteForm))).toBe("/");
    const responses = await Promise.all(held.map(({ end }) => end()));
    await services.jobs.runDue();
    await services.jobs.runDue();
    expect({ rows: await readAllRows(services), files: await listStoredFiles(services) }).toEqual(before);
    for (const { path, response } of responses) {
      expect(response.status, path).toBeLessThan(500);
      if (path.startsWith("/uploads/") || path === "/avatar/save") expect(response.status, path).toBe(401);
      if (path === "/profile" || path === "/cards/edit") expect(response.headers.get("location"), path).toBe("/auth");
    }
    expect(logLines.filter(({ level }) => Number(level) >= 50)).toEqual([]);
  });

  // The slower store leaves more room for requests to overlap.
  test.runIf(store === "S3")("leaves no data, whichever of many concurrent requests is first", async () => {
    const { signedIn, services } = await open(engine, store);
    const before = { rows: await readAllRows(services), files: await listStoredFiles(services) };
    for (let round = 0; round < 4; round++) {
      const ada = await signedIn(`ada-${round}@example.com`);
      const { card } = await fillAccount(ada, services, `ada-${round}`);
      const all = [...formsOf(card), ...(await filesOf(card))];
      const requests = all.map(async (one) => (await startSlowRequest(ada, one).end()).response.text());
      await Promise.all([...requests, ada.post("/account/delete", deleteForm)]);
      await services.jobs.runDue();
      await services.jobs.runDue();
      expect({ rows: await readAllRows(services), files: await listStoredFiles(services) }).toEqual(before);
    }
  });
});

type PendingRequest = { path: string; type: string; bytes: Uint8Array };

/** Every form that requires an account; the forms of visitors may create data. */
function formsOf(card: string): PendingRequest[] {
  const forms = listForms(card).filter(({ path }) => /^\/(?:account|avatar|profile|cards)/.test(path));
  const more = [
    { path: "/avatar/save", fields: { options: JSON.stringify(defaultOptions("Ada")) } },
    { path: "/profile", fields: profileForm({ handle: "late", version: "3" }) },
    { path: "/cards/edit", fields: { ...cardFields, id: crypto.randomUUID() } },
    { path: `/cards/${card}/details`, fields: { display_name: "Late", company: "Late" } },
  ];
  return [...forms.filter(({ path }) => !/^\/(?:avatar|profile$)/.test(path)), ...more].map(({ path, fields }) => ({
    path,
    type: "application/x-www-form-urlencoded",
    bytes: new TextEncoder().encode(`${new URLSearchParams(fields)}&`),
  }));
}

async function filesOf(card: string): Promise<PendingRequest[]> {
  const image = await jpeg();
  const slots = ["avatar", "banner", `logo:${card}`].map((slot) => ({ slot, bytes: image }));
  return [...slots, { slot: "resume", bytes: pdf("late") }].map(({ slot, bytes }) => ({
    path: `/uploads/${slot}?name=late`,
    type: "application/octet-stream",
    bytes: new Uint8Array(bytes),
  }));
}

/** Starts a request whose body is sent at `end`; `isRead` once the server has authenticated it and waits for the body. */
function startSlowRequest(user: Pick<Visitor, "request">, { path, type, bytes }: PendingRequest) {
  const isRead = Promise.withResolvers<void>();
  const isEnded = Promise.withResolvers<void>();
  const body = new ReadableStream(
    {
      async pull(controller) {
        isRead.resolve();
        await isEnded.promise;
        controller.enqueue(bytes);
        controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  const headers = { origin: "http://localhost:3000", "content-type": type, "content-length": `${bytes.length}` };
  const init = { method: "POST", body, headers, duplex: "half" };
  const response = user.request(path, init);
  async function end() {
    isEnded.resolve();
    return { path: path.replace(/\?.*/, ""), response: await response };
  }
  return { isRead: isRead.promise, end };
}
