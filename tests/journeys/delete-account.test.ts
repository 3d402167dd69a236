import { describe, expect, test } from "vitest";

import { toastOf } from "#tests/support/answers.ts";
import { upgrade } from "#tests/support/cards.ts";
import { isMissing, makeDatabase } from "#tests/support/databases.ts";
import { idOf, profileForm } from "#tests/support/profiles.ts";
import { s3Environment, startS3 } from "#tests/support/s3.ts";
import { createTestApp } from "#tests/support/test-app.ts";
import { fillAccount as fill, readFiles, readRows } from "#tests/support/traces.ts";

const last = { intent: "delete", confirm: "DELETE" };

const engines = (["sqlite", "postgres"] as const).filter((engine) => !isMissing(engine));
const places = engines.flatMap((engine) => (["a folder", "S3"] as const).map((store) => ({ engine, store })));

describe.each(places)("an account that is deleted, on $engine with $store", ({ engine, store }) => {
  test("leaves nothing of it anywhere, and everything of everybody else", async () => {
    const { databaseUrl } = await makeDatabase(engine, { migrated: false });
    const s3 = store === "S3" ? s3Environment(await startS3()) : {};
    const product = await createTestApp({ env: { ...(databaseUrl && { DATABASE_URL: databaseUrl }), ...s3 } });
    const { signedIn, visitor, services } = product;
    const bob = await signedIn("bob@example.com");
    const bobs = await fill(bob, services, "bob");
    const before = { rows: await readRows(services), files: await readFiles(services) };
    const ada = await signedIn();
    const { id, card } = await fill(ada, services, "ada");
    expect((await readFiles(services)).length).toBe(2 * before.files.length);
    for (const path of [`/u/${id}`, "/u/ada", `/card/${card}`]) await visitor().get(path);
    await services.counter.flush();

    const gone = await ada.post("/account/delete", last);
    expect(gone.headers.get("location")).toBe("/");
    expect(gone.headers.get("clear-site-data")).toBe('"storage"');
    expect(toastOf(gone)).toMatchObject({ title: "Your account was deleted" });
    await services.jobs.runDue();

    for (const path of [`/u/${id}`, "/u/ada", `/card/${card}`]) expect((await visitor().get(path)).status).toBe(404);
    expect((await ada.get("/profile")).headers.get("location")).toBe("/auth?returnTo=%2Fprofile");
    const login = await visitor().post("/auth", { intent: "log-in", email: ada.email, password: ada.password });
    expect(login.status).toBe(400);
    expect({ rows: await readRows(services), files: await readFiles(services) }).toEqual(before);
    expect((await visitor().get(`/u/${bobs.id}`)).status).toBe(200);
    expect((await visitor().get(`/card/${bobs.card}`)).status).toBe(200);
    expect((await bob.get("/profile")).status).toBe(200);
  });
});

describe("leaving", () => {
  test("goes through three steps, and nothing is deleted before the last of them", async () => {
    const { signedIn, visitor } = await createTestApp();
    expect((await visitor().get("/account/delete")).headers.get("location")).toContain("/auth?returnTo=");
    const ada = await signedIn();
    const asked = await (await ada.get("/account/delete")).text();
    expect(asked).toContain("Are you sure you want to leave?");
    expect(asked).not.toContain("Your subscription ends immediately");
    for (const button of ["Stay", "Continue"]) expect(asked).toContain(`>${button}<`);
    const leadsBack = (label: string) => expect.stringMatching(`<a [^>]*href="/account"[^>]*>${label}</a>`);
    expect(asked).toEqual(leadsBack("Stay"));
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
    "asks for the word again: %j",
    async (confirm) => {
      const { signedIn } = await createTestApp();
      const ada = await signedIn();
      const answer = await ada.post("/account/delete", { ...last, confirm, feedback: "Kept words" });
      expect(answer.status).toBe(400);
      const html = await answer.text();
      expect(html).toContain("Please type DELETE to confirm.");
      expect(html).toContain("Kept words");
      expect((await ada.get("/profile")).status).toBe(200);
    },
  );

  test("says what of a subscription would be lost", async () => {
    const { signedIn, services } = await createTestApp();
    const ada = await signedIn();
    await upgrade(ada, services);
    const html = await (await ada.get("/account/delete")).text();
    for (const words of ["Your subscription ends immediately", "Unlimited business cards", "All 6 themes"]) {
      expect(html).toContain(words);
    }
  });

  test("brings what was said to the operator, without a name, once", async () => {
    const { signedIn, mails } = await createTestApp();
    const ada = await signedIn();
    const twice = await Promise.all([1, 2].map(() => ada.post("/account/delete", { ...last, feedback: "Too quiet." })));
    for (const { status } of twice) expect(status).toBe(302);
    const told = (await mails()).filter(({ subject }) => subject === "Somebody left localhost:3000");
    expect(told).toHaveLength(1);
    expect(told[0]?.text).toContain("Too quiet.");
    expect(told[0]?.text).not.toContain("ada");
  });

  test("takes no more words than it says, and no other wish", async () => {
    const { signedIn } = await createTestApp();
    const ada = await signedIn();
    for (const intent of ["feedback", "delete"]) {
      const answer = await ada.post("/account/delete", { intent, confirm: "DELETE", feedback: "a".repeat(2001) });
      expect(answer.status).toBe(400);
      expect(await answer.text()).toContain("At most 2,000 characters, please.");
    }
    expect((await ada.post("/account/delete", { confirm: "DELETE" })).status).toBe(400);
    const evil = { origin: "https://evil.example" };
    expect((await ada.post("/account/delete", last, evil)).status).toBe(403);
    expect((await ada.get("/profile")).status).toBe(200);
  });

  test("that fails halfway changes nothing", async () => {
    const { signedIn, services } = await createTestApp();
    const ada = await signedIn();
    const { card } = await fill(ada, services, "ada");
    await services.db.schema.alterTable("subscription").renameTo("subscription_away").execute();
    const answer = await ada.post("/account/delete", { ...last, feedback: "Kept words" });
    expect(answer.status).toBe(500);
    await services.db.schema.alterTable("subscription_away").renameTo("subscription").execute();
    expect((await ada.get(`/cards/edit/${card}`)).status).toBe(200);
  });

  test("frees the address: who signs up anew starts with nothing", async () => {
    const { signedIn, services } = await createTestApp();
    const ada = await signedIn();
    const { id } = await fill(ada, services, "ada");
    await ada.post("/account/delete", last);
    const again = await signedIn();
    expect(await idOf(again)).not.toBe(id);
    expect(await services.db.selectFrom("card").selectAll().execute()).toEqual([]);
  });

  test.each(engines)("keeps its handles from everybody for good, its owner too, on %s", async (engine) => {
    const { databaseUrl } = await makeDatabase(engine, { migrated: false });
    const { signedIn, visitor, services } = await createTestApp(
      databaseUrl ? { env: { DATABASE_URL: databaseUrl } } : {},
    );
    const ada = await signedIn();
    await fill(ada, services, "ada");
    await ada.post("/account/delete", last);
    for (const person of [await signedIn("mallory@example.com"), await signedIn()]) {
      for (const handle of ["ada", "Ada", "ada-old"]) {
        const refused = await person.post("/profile", profileForm({ handle, displayName: "Mallory" }));
        expect(refused.status).toBe(422);
        expect(await refused.text()).toContain("This handle is taken. Choose another.");
        expect((await visitor().get(`/u/${handle}`)).status).toBe(404);
      }
    }
    const kept = await services.db.selectFrom("retired_handle").selectAll().execute();
    expect(kept).toHaveLength(2);
    for (const { hash } of kept) expect(hash).toMatch(/^[\w-]{43}$/);
  });

  test("tells the address that had the account, once", async () => {
    const { signedIn, mails } = await createTestApp();
    const ada = await signedIn();
    await Promise.all([1, 2].map(() => ada.post("/account/delete", last)));
    const told = (await mails()).filter(({ subject }) => subject === "Your account was deleted");
    expect(told.map(({ to }) => to)).toEqual([ada.email]);
    expect(told[0]?.text).toContain("The account at localhost:3000 with this address was deleted just now");
  });
});
