import { describe, expect, test } from "vitest";

import { createOperatedApp, turnOnTwoStep } from "#tests/support/admin/operated-app.ts";
import { fillAccount } from "#tests/support/app/account-data.ts";
import { fieldValue, makeCard } from "#tests/support/app/cards.ts";
import { profileForm, tagsNamed, userIdOf } from "#tests/support/app/profiles.ts";
import { firstLink, toastIn, visibleText } from "#tests/support/app/responses.ts";
import { changeAll } from "#tests/support/database/account-rows.ts";
import { listEngines, makeDatabase } from "#tests/support/database/databases.ts";

describe.each(listEngines())("an operator, on %s", (engine) => {
  async function open() {
    const { databaseUrl } = await makeDatabase(engine);
    return createOperatedApp(databaseUrl ? { DATABASE_URL: databaseUrl } : {});
  }

  test("blocks an account: its sessions end, its pages disappear from the cache, and no one signs in", async () => {
    const { admin, signedIn, visitor, services } = await open();
    const ada = await signedIn("ada@example.com");
    const { id, card } = await fillAccount(ada, services, "ada");
    const resume = (await visitor().get("/u/ada/resume")).headers.get("location") ?? "";
    const profile = [`/u/${id}`, "/u/ada", "/u/ada-old", "/u/ada/card", "/u/ada/qr.svg"];
    const pages = [...profile, `/card/${card}`, `/card/${card}/contact.vcf`];
    const statuses = async () => Promise.all(pages.map(async (path) => (await visitor().get(path)).status));
    const before = await statuses();
    await services.renderedPages.flush();
    expect(before).toEqual([200, 200, 301, 200, 200, 200, 200]);
    expect((await visitor().get(resume)).status).toBe(200);
    // What makes other nodes drop the pages from their caches.
    const recorded: string[] = [];
    const everywhere = ({ kind, ownerId }: { kind: string; ownerId: string }) =>
      void recorded.push(`${kind} ${ownerId}`);
    services.events.subscribe({ name: "test", kinds: "all", everywhere, missed: () => undefined });
    const versionOf = () =>
      services.db.selectFrom("profile").select("pages_version").where("owner_id", "=", id).execute();
    const version = await versionOf();

    const done = await admin.post(`/admin/users/${id}`, { intent: "block", reason: "Sells spam" });
    expect(toastIn(done)).toMatchObject({ title: "Account blocked" });
    expect(await statuses()).toEqual(pages.map(() => 404));
    expect(await versionOf()).not.toEqual(version);
    expect((await visitor().get(resume)).status).toBe(404);
    expect((await ada.get("/account")).headers.get("location")).toContain("/auth");
    const refused = await visitor().post("/auth", { intent: "log-in", email: ada.email, password: ada.password });
    expect(refused.status).toBe(403);
    const html = await (await admin.get(`/admin/users/${id}`)).text();
    for (const text of ["Sells spam", "This account is blocked", "by the operator"]) expect(html).toContain(text);

    await admin.post(`/admin/users/${id}`, { intent: "unblock" });
    expect(await statuses()).toEqual(before);
    expect(recorded).toEqual([`account.blocked ${id}`, `account.unblocked ${id}`]);
    // The session that ended doesn't come back.
    expect((await ada.get("/account")).headers.get("location")).toContain("/auth");
    const back = visitor();
    await back.post("/auth", { intent: "log-in", email: ada.email, password: ada.password });
    expect((await back.get("/account")).status).toBe(200);
  });

  test("signs out everywhere, confirms an email, and finds both in the log", async () => {
    const { admin, signedIn, services } = await open();
    const ada = await signedIn("ada@example.com");
    const id = await userIdOf(ada);
    const isConfirmed = engine === "sqlite" ? 0 : false;
    await services.db
      .updateTable("user" as "setting")
      .set({ emailVerified: isConfirmed } as never)
      .where("id" as "name", "=", id)
      .execute();
    expect(await (await admin.get(`/admin/users/${id}`)).text()).toContain("Unconfirmed");
    await admin.post(`/admin/users/${id}`, { intent: "confirm" });
    await admin.post(`/admin/users/${id}`, { intent: "sign-out" });
    expect((await ada.get("/account")).headers.get("location")).toContain("/auth");
    const html = await (await admin.get(`/admin/users/${id}`)).text();
    for (const text of ["Confirmed", "Not signed in anywhere.", "Email confirmed"]) expect(html).toContain(text);
    const log = await (await admin.get("/admin/log")).text();
    for (const text of ["Confirmed the email", "Signed out everywhere", "ada@example.com", "operator@example.com"])
      expect(log).toContain(text);
  });

  test("confirms an address that was only signed up with, without the password of who did", async () => {
    const { admin, visitor, services, mails } = await open();
    const stranger = { email: "ada@example.com", password: "a stranger's word" };
    await visitor().post("/auth?tab=signup", { intent: "sign-up", ...stranger });
    const id = (await services.auth.findUserId(stranger.email)) ?? "";
    const logIn = (form: typeof stranger) => visitor().post("/auth", { intent: "log-in", ...form });
    await admin.post(`/admin/users/${id}`, { intent: "confirm" });
    expect((await logIn(stranger)).status).toBe(400);
    const mail = (await mails()).find(({ subject }) => subject === "Your Meishi email is confirmed");
    expect(mail).toMatchObject({ to: stranger.email, text: expect.stringContaining("set a password") });
    const owner = visitor();
    await owner.post("/forgot-password", { email: stranger.email });
    const reset = (await mails()).find(({ subject }) => subject === "Set a new password for Meishi");
    const words = { password: "tea with Charles", confirm: "tea with Charles" };
    await owner.post(firstLink(reset?.text), words);
    expect((await logIn({ ...stranger, password: words.password })).status).toBe(302);
  });

  test("resets two-step verification and tells the owner, once", async () => {
    const app = await open();
    const { admin, signedIn, mails } = app;
    const ada = await signedIn("ada@example.com");
    const id = await userIdOf(ada);
    await turnOnTwoStep(app, id);
    expect(toastIn(await admin.post(`/admin/users/${id}`, { intent: "reset-two-step" }))).toMatchObject({
      title: "Two-step verification reset",
    });
    expect((await ada.get("/account")).headers.get("location")).toContain("/auth");
    expect(await mails("Two-step verification was reset")).toMatchObject([{ to: "ada@example.com" }]);
    const again = await admin.post(`/admin/users/${id}`, { intent: "reset-two-step" });
    expect(again.status).toBe(409);
    expect(await again.text()).toContain("doesn’t use two-step verification");
    expect(await (await admin.get("/admin/log")).text()).toContain("Reset two-step verification");
  });

  test("deletes an account after its email was typed, and the log keeps no address of it", async () => {
    const { admin, signedIn, mails, visitor } = await open();
    const ada = await signedIn("ada@example.com");
    const id = await userIdOf(ada);
    await ada.post("/profile", profileForm({ handle: "ada" }));
    await admin.post(`/admin/users/${id}`, { intent: "block", reason: "Ada sells spam" });
    const wrong = await admin.post(`/admin/users/${id}`, { intent: "delete", confirm: "ada@example.co" });
    expect(wrong.status).toBe(400);
    const html = await wrong.text();
    expect(html).toContain("Type the account’s email to confirm.");
    expect(html).toContain('value="ada@example.co"');

    const done = await admin.post(`/admin/users/${id}`, { intent: "delete", confirm: " ADA@example.com" });
    expect(done.headers.get("location")).toBe("/admin/users");
    expect((await visitor().get("/u/ada")).status).toBe(404);
    expect((await admin.get(`/admin/users/${id}`)).status).toBe(404);
    expect(await mails("Your account was deleted")).toMatchObject([{ to: "ada@example.com" }]);
    const log = await (await admin.get("/admin/log")).text();
    expect(log).toContain(`a deleted account (${id.slice(0, 8)})`);
    expect(log).not.toContain("ada@example.com");
    expect(log).not.toContain("sells spam");
    const again = await admin.post(`/admin/users/${id}`, { intent: "delete", confirm: "ada@example.com" });
    expect(again.status).toBe(404);
  });
});

test("an operator can neither block nor delete their own account", async () => {
  const { admin, adminId } = await createOperatedApp();
  const html = await (await admin.get(`/admin/users/${adminId}`)).text();
  expect(html).toContain("This is your own account");
  for (const intent of ["block", "delete"]) {
    const refused = await admin.post(`/admin/users/${adminId}`, { intent, reason: "Oops", confirm: admin.email });
    expect(refused.status).toBe(403);
    expect(await refused.text()).toContain("You can’t do this to your own account.");
  }
  expect((await admin.get("/admin/users")).status).toBe(200);
});

test("an operator can't remove another operator, or make one, but can sign them out", async () => {
  const { admin, signedIn, services } = await createOperatedApp();
  const other = await signedIn("second@example.com");
  const path = `/admin/users/${await userIdOf(other)}`;
  const html = await (await admin.get(path)).text();
  expect(html).toContain("This is an operator’s account.");
  for (const intent of ["confirm", "block", "reset-two-step", "delete"]) {
    expect(html).not.toContain(`value="${intent}"`);
    const refused = await admin.post(path, { intent, reason: "x", confirm: other.email });
    expect(refused.status).toBe(403);
    expect(await refused.text()).toContain("This is an operator’s account. Use the command line");
  }
  expect((await other.get("/account")).status).toBe(200);
  expect(await services.db.selectFrom("operator_log").selectAll().execute()).toEqual([]);
  await admin.post(path, { intent: "sign-out" });
  expect((await other.get("/account")).status).toBe(302);
});

test("a block without a reason, or with a very long one, is refused", async () => {
  const { admin, signedIn } = await createOperatedApp();
  const ada = await signedIn("ada@example.com");
  const path = `/admin/users/${await userIdOf(ada)}`;
  for (const reason of ["", "  \u200e ", "x".repeat(201)]) {
    const refused = await admin.post(path, { intent: "block", reason });
    expect(refused.status).toBe(400);
    expect(await refused.text()).toMatch(/Enter a reason\.|Use at most 200 characters\./);
  }
  expect((await admin.post(path, { intent: "promote" })).status).toBe(400);
  expect((await ada.get("/account")).status).toBe(200);
});

const nextYear = new Date().getUTCFullYear() + 1;
const lastDay = `${nextYear}-12-31`;
const endOfLastDay = Date.UTC(nextYear + 1, 0, 1) - 1;

describe.each(listEngines())("an operator, on %s", (engine) => {
  async function open() {
    const { databaseUrl } = await makeDatabase(engine);
    const app = await createOperatedApp(databaseUrl ? { DATABASE_URL: databaseUrl } : {});
    const ada = await app.signedIn("ada@example.com");
    const id = await userIdOf(ada);
    const card = await makeCard(ada);
    const act = (form: Record<string, string>) => app.admin.post(`/admin/users/${id}`, form);
    const pageOf = async (path: string) => visibleText(await (await app.admin.get(path)).text());
    const hasBranding = async () =>
      (await (await app.visitor().get(`/card/${card}`)).text()).includes("Made with Meishi");
    return { ...app, ada, id, act, pageOf, hasBranding };
  }

  test("grants Premium until a day, with a reason, and tells the owner", async () => {
    const { act, pageOf, hasBranding, ada, id, mails, services } = await open();
    expect(await hasBranding()).toBe(true);
    const done = await act({ intent: "grant", until: lastDay, reason: "Beta tester" });
    expect(toastIn(done)).toMatchObject({ title: "Premium granted" });
    expect(await hasBranding()).toBe(false);
    expect(await services.db.selectFrom("subscription").selectAll().execute()).toEqual([
      { owner_id: id, plan: "premium", ends_at: endOfLastDay },
    ]);
    const user = await pageOf(`/admin/users/${id}`);
    for (const text of ["Plan Premium", `Granted until December 31, ${nextYear} Beta tester`, "Premium granted"])
      expect(user).toContain(text);
    expect(await pageOf("/admin/log")).toContain("Granted Premium : ada@example.com Beta tester");
    expect(await pageOf("/admin/users")).toContain("2 accounts: 1 on Free, 1 on Premium (1 granted)");
    const [mail] = await mails();
    expect(mail).toMatchObject({ to: "ada@example.com", subject: `You have Premium until December 31, ${nextYear}` });
    expect(mail?.text).not.toContain("Beta tester");
    const account = visibleText(await (await ada.get("/account")).text());
    expect(account).toContain(`Status Active Plan Premium Ends on December 31, ${nextYear}`);
  });

  test("grants Premium without an end, and revokes it once", async () => {
    const { act, pageOf, hasBranding, mails, services } = await open();
    await act({ intent: "grant", until: "", reason: "Our own team" });
    expect((await mails())[0]).toMatchObject({ subject: "You have Premium" });
    expect(await hasBranding()).toBe(false);
    expect(toastIn(await act({ intent: "revoke" }))).toMatchObject({ title: "Premium revoked" });
    expect(await hasBranding()).toBe(true);
    expect((await mails())[0]).toMatchObject({ to: "ada@example.com", subject: "Your Premium has ended" });
    const again = await act({ intent: "revoke" });
    expect(again.status).toBe(409);
    expect(await again.text()).toContain("No Premium was granted to this account.");
    const actions = await services.db.selectFrom("operator_log").select("action").orderBy("created_at").execute();
    expect(actions.map(({ action }) => action)).toEqual(["grant", "revoke"]);
    expect(await pageOf("/admin/users")).toContain("2 accounts: 2 on Free, 0 on Premium (0 granted)");
  });
});

test("one mail says that Premium ended, and none goes to an address that isn't confirmed", async () => {
  const { admin, signedIn, services, mails } = await createOperatedApp();
  const id = await userIdOf(await signedIn("ada@example.com"));
  const act = (form: Record<string, string>) => admin.post(`/admin/users/${id}`, form);
  const subjects = async () => (await mails()).map(({ subject }) => subject).toReversed();
  await act({ intent: "grant", until: "", reason: "Beta tester" });
  await subjects();
  await act({ intent: "revoke" });
  expect(await subjects()).toEqual(["You have Premium", "Your Premium has ended"]);
  await act({ intent: "grant", until: lastDay, reason: "Beta tester" });
  await services.db.updateTable("plan_grant").set({ ends_at: 1 }).execute();
  await services.db.updateTable("subscription").set({ ends_at: 1 }).execute();
  await act({ intent: "revoke" });
  expect((await subjects()).slice(2)).toEqual([`You have Premium until December 31, ${nextYear}`]);
  await changeAll(services, "user", { emailVerified: services.engine === "sqlite" ? 0 : false });
  await act({ intent: "grant", until: "", reason: "Beta tester" });
  await act({ intent: "revoke" });
  expect(await subjects()).toHaveLength(3);
});

test("the log shows once what Stripe reported about a payment", async () => {
  const { admin, signedIn, services } = await createOperatedApp();
  const ownerId = await userIdOf(await signedIn("ada@example.com"));
  for (let n = 0; n < 2; n++)
    await services.jobs.enqueue(services.db, "operator-notice", { ownerId, kind: "payment-disputed", detail: "ch_1" });
  await services.jobs.runDue();
  const log = visibleText(await (await admin.get("/admin/log")).text());
  expect(log.split("Payment disputed at the bank, Premium continues : ada@example.com ch_1")).toHaveLength(2);
  expect(log).toContain(", Stripe");
});

test("a grant without a reason, or until a day that is over, keeps what was typed", async () => {
  const { admin, signedIn, services } = await createOperatedApp();
  const path = `/admin/users/${await userIdOf(await signedIn("ada@example.com"))}`;
  for (const [until, reason, message] of [
    ["2020-01-01", "Beta tester", "Enter a day that isn’t over"],
    [lastDay, " ", "Enter a reason."],
  ] as const) {
    const refused = await admin.post(path, { intent: "grant", until, reason });
    expect(refused.status).toBe(400);
    const html = await refused.text();
    expect(html).toContain(message);
    expect([fieldValue(html, "until"), tagsNamed(html, "reason").join()]).toEqual([
      until,
      expect.stringContaining(`value="${reason}"`),
    ]);
  }
  expect(await services.db.selectFrom("plan_grant").selectAll().execute()).toEqual([]);
});

test("where everyone has Premium there is nothing to grant", async () => {
  const { admin, signedIn } = await createOperatedApp({ PLAN_FOR_EVERYONE: "premium" });
  const path = `/admin/users/${await userIdOf(await signedIn("ada@example.com"))}`;
  expect(await (await admin.get(path)).text()).not.toContain("Grant Premium");
  expect(await (await admin.get("/admin/users")).text()).not.toContain("on Free");
  for (const intent of ["grant", "revoke"])
    expect((await admin.post(path, { intent, until: "", reason: "x" })).status).toBe(403);
});
