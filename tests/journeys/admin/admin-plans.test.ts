import { describe, expect, test } from "vitest";

import { createOperatedApp } from "#tests/support/admin/operated-app.ts";
import { fieldValue, makeCard } from "#tests/support/app/cards.ts";
import { tagsNamed, userIdOf } from "#tests/support/app/profiles.ts";
import { toastIn, visibleText } from "#tests/support/app/responses.ts";
import { listEngines, makeDatabase } from "#tests/support/database/databases.ts";

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
  await services.db
    .updateTable("user" as "setting")
    .set({ emailVerified: services.engine === "sqlite" ? 0 : false } as never)
    .execute();
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
    ["2020-01-01", "Beta tester", "Enter a day that isn&#x27;t over"],
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
