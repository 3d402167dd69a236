import { expect, test } from "vitest";

import { userIdOf } from "#tests/support/app/profiles.ts";
import { toastIn } from "#tests/support/app/responses.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import type { TestApp } from "#tests/support/app/test-app.ts";

const thief = "thief@example.com";

test("the notice to the old address undoes a change: the address is back, everyone is out, a new password is due", async () => {
  const { app, ada, path } = await changeEmail();
  const ownerId = await userIdOf(ada);
  const owner = app.visitor();
  expect(await (await owner.get(path)).text()).toContain("Restore my email");
  expect((await ada.get("/account")).status).toBe(200);
  const restored = await owner.post(path, {});
  const reset = restored.headers.get("location") ?? "";
  expect(reset).toMatch(/^\/reset-password\?token=/);
  const page = await (await owner.get(reset)).text();
  expect(page).toContain("Your old email is back");
  expect(page).not.toContain("You can now set a new password.");
  expect((await ada.get("/account")).status).toBe(302);
  // The thief knows the password.
  for (const email of [ada.email, thief]) expect((await logIn(app, email, ada.password)).status).toBe(400);
  await owner.post(reset, { password: "another long word", confirm: "another long word" });
  expect((await logIn(app, ada.email, "another long word")).status).toBe(302);
  const events = await app.services.db
    .selectFrom("security_event")
    .select("event")
    .where("owner_id", "=", ownerId)
    .execute();
  expect(events).toContainEqual({ event: "email-restored" });
});

test("what was added shortly before the change or since is removed, and both pages and the mail say so", async () => {
  const { app, ada, path } = await changeEmail();
  const ownerId = await userIdOf(ada);
  const passkey = (id: string, created_at: number) => ({
    id,
    name: id,
    owner_id: ownerId,
    credential_id: id,
    public_key: "x",
    counter: 0,
    transports: "[]",
    is_synced: 0 as const,
    created_at,
  });
  const hourMs = 3_600_000;
  const rows = [passkey("old", Date.now() - 25 * hourMs), passkey("new", Date.now() - 23 * hourMs)];
  await app.services.db.insertInto("passkey").values(rows).execute();
  const owner = app.visitor();
  expect(await (await owner.get(path)).text()).toContain("added in the 24 hours before the change or since");
  const restored = await owner.post(path, {});
  expect(await app.services.db.selectFrom("passkey").select("id").execute()).toEqual([{ id: "old" }]);
  expect(toastIn(restored)).toMatchObject({
    text: expect.stringContaining("was removed. The email we sent you lists it"),
  });
  const mails = await app.mails();
  expect(mails.find(({ to, subject }) => to === ada.email && subject.includes("restored"))?.text).toContain("“new”");
  expect(mails.find(({ to, subject }) => to === thief && subject.includes("undone"))).toBeDefined();
});

test("a link works once, for 7 days, and not when it was changed", async () => {
  const { app, path } = await changeEmail();
  for (const bad of ["/account/email/restore", `${path}x`, path.replace("token=", "token=x")]) {
    expect(await (await app.visitor().get(bad)).text()).toContain("This link is incomplete");
    expect((await app.visitor().post(bad, {})).status).toBe(410);
  }
  const both = await Promise.all([app.visitor().post(path, {}), app.visitor().post(path, {})]);
  expect(both.map(({ status }) => status).toSorted()).toEqual([302, 410]);
  expect(await (await app.visitor().get(path)).text()).toContain("Nothing to undo");
});

test("a thief who changes the email twice can't make the owner's link void, but the owner makes the thief's void", async () => {
  const { app, ada, path } = await changeEmail();
  const second = "thief-2@example.com";
  await ada.post("/account", { intent: "change-email", email: second, current: ada.password });
  await ada.post(linkIn(await app.mails(), { to: second, path: "/account/email" }), {});
  const ofThief = linkIn(await app.mails(), { to: thief, path: "/account/email/restore" });
  const reset = await app.visitor().post(ofThief, {});
  expect(reset.headers.get("location")).toMatch(/^\/reset-password\?token=/);
  expect((await app.visitor().post(path, {})).status).toBe(302);
  expect((await app.visitor().post(ofThief, {})).status).toBe(410);
  const mine = { password: "another long word", confirm: "another long word" };
  expect((await app.visitor().post(reset.headers.get("location") ?? "", mine)).status).toBe(410);
});

test("an address that another account uses by now is not taken from it", async () => {
  const { app, ada, path } = await changeEmail();
  const other = await app.signedIn(ada.email);
  const refused = await app.visitor().post(path, {});
  expect(refused.status).toBe(410);
  expect(await refused.text()).toContain("This email is taken");
  expect((await other.get("/account")).status).toBe(200);
  expect((await ada.get("/account")).status).toBe(200);
});

/** Someone in Ada's browser changed her email; `path` is the link in the mail to her. */
async function changeEmail() {
  const app = await createTestApp();
  const ada = await app.signedIn();
  await ada.post("/account", { intent: "change-email", email: thief, current: ada.password });
  const confirm = linkIn(await app.mails(), { to: thief, path: "/account/email" });
  expect((await ada.post(confirm, {})).headers.get("location")).toBe("/account");
  const path = linkIn(await app.mails(), { to: ada.email, path: "/account/email/restore" });
  return { app, ada, path };
}

function linkIn(mails: { to: string; text: string }[], { to, path }: { to: string; path: string }): string {
  const found = mails
    .filter((mail) => mail.to === to)
    .map(({ text }) => /https?:\S+\/account\/email\S*/.exec(text)?.[0]);
  const link = found.find((url) => url !== undefined && new URL(url).pathname === path);
  if (link === undefined) throw new Error(`No link to ${path} for ${to}`);
  return new URL(link).pathname + new URL(link).search;
}

function logIn(app: TestApp, email: string, password: string) {
  return app.visitor().post("/auth", { intent: "log-in", email, password });
}
