import { expect, test } from "vitest";

import { userIdOf } from "#tests/support/app/profiles.ts";
import { toastIn } from "#tests/support/app/responses.ts";
import { createSignedInApp } from "#tests/support/app/test-app.ts";
import { isSignedIn, locationOf, logIn, readPage } from "#tests/support/app/visitor.ts";

const thief = "thief@example.com";

test("the notice to the old address undoes a change: the address is back, everyone is out, a new password is due", async () => {
  const { app, ada, path } = await changeEmail();
  const owner_id = await userIdOf(ada);
  const row = { owner_id, public_key: "x", counter: 0, transports: "[]", is_synced: 0 as const };
  const rows = [
    { ...row, id: "old", name: "old", credential_id: "old", created_at: Date.now() - 25 * 3_600_000 },
    { ...row, id: "new", name: "new", credential_id: "new", created_at: Date.now() - 23 * 3_600_000 },
  ];
  await app.services.db.insertInto("passkey").values(rows).execute();
  const owner = app.visitor();
  const asked = await readPage(owner, path);
  for (const text of ["Restore my email", "added in the 24 hours before the change or since"])
    expect(asked).toContain(text);
  expect(await isSignedIn(ada)).toBe(true);
  const restored = await owner.post(path, {});
  const text = expect.stringContaining("was removed. The email we sent you lists it");
  expect(toastIn(restored)).toMatchObject({ text });
  expect(await app.services.db.selectFrom("passkey").select("id").execute()).toEqual([{ id: "old" }]);
  const mails = await app.mails();
  expect(mails.find(({ to, subject }) => to === ada.email && subject.includes("restored"))?.text).toContain("“new”");
  expect(mails.find(({ to, subject }) => to === thief && subject.includes("undone"))).toBeDefined();

  const reset = locationOf(restored) ?? "";
  expect(reset).toMatch(/^\/reset-password\?token=/);
  const page = await readPage(owner, reset);
  expect(page).toContain("Your old email is back");
  expect(page).not.toContain("You can now set a new password.");
  expect(await isSignedIn(ada)).toBe(false);
  // The thief knows the password.
  for (const email of [ada.email, thief]) expect((await logIn(app.visitor(), { ...ada, email })).status).toBe(400);
  const password = "another long word";
  await owner.post(reset, { password, confirm: password });
  expect((await logIn(app.visitor(), { ...ada, password })).status).toBe(302);
});

test("a link works once, for 7 days, and not when it was changed", async () => {
  const { app, path } = await changeEmail();
  for (const bad of ["/account/email/restore", `${path}x`, path.replace("token=", "token=x")]) {
    expect(await readPage(app.visitor(), bad)).toContain("This link is incomplete");
    expect((await app.visitor().post(bad, {})).status).toBe(410);
  }
  const both = await Promise.all([app.visitor().post(path, {}), app.visitor().post(path, {})]);
  expect(both.map(({ status }) => status).toSorted()).toEqual([302, 410]);
  expect(await readPage(app.visitor(), path)).toContain("Nothing to undo");
});

test("a thief who changes the email twice can't make the owner's link void, but the owner makes the thief's void", async () => {
  const { app, ada, path } = await changeEmail();
  const second = "thief-2@example.com";
  await ada.post("/account", { intent: "change-email", email: second, current: ada.password });
  await ada.post(linkIn(await app.mails(), { to: second, path: "/account/email" }), {});
  const ofThief = linkIn(await app.mails(), { to: thief, path: "/account/email/restore" });
  const reset = locationOf(await app.visitor().post(ofThief, {})) ?? "";
  expect(reset).toMatch(/^\/reset-password\?token=/);
  expect((await app.visitor().post(path, {})).status).toBe(302);
  expect((await app.visitor().post(ofThief, {})).status).toBe(410);
  const mine = { password: "another long word", confirm: "another long word" };
  expect((await app.visitor().post(reset, mine)).status).toBe(410);
});

test("an address that another account uses by now is not taken from it", async () => {
  const { app, ada, path } = await changeEmail();
  const other = await app.signedIn(ada.email);
  const refused = await app.visitor().post(path, {});
  expect([refused.status, await refused.text()]).toEqual([410, expect.stringContaining("This email is taken")]);
  for (const user of [other, ada]) expect(await isSignedIn(user)).toBe(true);
});

/** Someone in Ada's browser changed her email; `path` is the link in the mail to her. */
async function changeEmail() {
  const { ada, ...app } = await createSignedInApp();
  await ada.post("/account", { intent: "change-email", email: thief, current: ada.password });
  const confirm = linkIn(await app.mails(), { to: thief, path: "/account/email" });
  expect(locationOf(await ada.post(confirm, {}))).toBe("/account");
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
