import { expect, test } from "vitest";

import { createOperatedApp } from "#tests/support/admin/operated-app.ts";
import { firstLink, toastIn } from "#tests/support/app/responses.ts";
import { locationOf, readPage } from "#tests/support/app/visitor.ts";
import { proveAgo } from "#tests/support/database/account-rows.ts";

const path = "/admin/invitations";

test("an operator invites people, sees who accepted, sends again and revokes, and the log has it", async () => {
  const { admin, visitor, mails, signedIn, services } = await createOperatedApp({ SIGN_UP: "invite" });
  await signedIn("grace@example.com");
  expect(await readPage(admin, path)).toContain("Only people with an invitation can sign up here.");
  const sent = await admin.post(path, { intent: "invite", addresses: "ada@example.com\nalan@example.com" });
  expect([locationOf(sent), toastIn(sent)]).toMatchObject([path, { title: "2 invitations sent" }]);
  expect((await mails("invited")).map(({ to }) => to).toSorted()).toEqual(["ada@example.com", "alan@example.com"]);

  const mixed = await admin.post(path, { intent: "invite", addresses: "grace@example.com, ada@example.com" });
  const summary = await mixed.text();
  for (const text of ["0 invitations sent", "Already has an account: grace@", "Invited before, send it again"])
    expect(summary).toContain(text);

  const link = firstLink((await mails("invited")).find(({ to }) => to === "ada@example.com")?.text);
  const ada = visitor();
  await ada.post(link, {});
  const form = { intent: "sign-up", email: "ada@example.com", password: "tea with Charles" };
  expect(locationOf(await ada.post("/auth?tab=signup", form))).toBe("/start");

  const { invitations } = await services.auth.listInvitations({ before: undefined, limit: 9 });
  const id = invitations.find(({ email }) => email === "alan@example.com")?.id ?? "";
  expect(toastIn(await admin.post(path, { intent: "again", id }))).toMatchObject({ title: "Invitation sent again" });
  expect(await mails("invited")).toHaveLength(3);
  const list = await readPage(admin, path);
  for (const text of ["Accepted", "Sent, valid until", "Send again to alan@example.com"]) expect(list).toContain(text);
  expect(list).not.toContain("Send again to ada@example.com");
  expect(toastIn(await admin.post(path, { intent: "revoke", id }))).toMatchObject({ title: "Invitation revoked" });
  expect(toastIn(await admin.post(path, { intent: "again", id }))).toMatchObject({
    title: "This invitation was accepted or revoked.",
  });
  expect(await readPage(admin, path)).not.toContain("alan@example.com");
  const log = await readPage(admin, "/admin/log");
  for (const text of ["Invited", "Sent the invitation again", "Revoked the invitation", "alan@example.com"])
    expect(log).toContain(text);
  expect(log).not.toContain("a deleted account");
});

test("a list with something else than addresses comes back whole, and so does one that needs a proof first", async () => {
  const { admin, services, mails } = await createOperatedApp();
  const typed = "ada@example.com\nnot an address";
  const refused = await admin.post(path, { intent: "invite", addresses: typed });
  const page = await refused.text();
  expect([refused.status, page.includes("Not an email address: not an address. No one was invited.")]).toEqual([
    400,
    true,
  ]);
  expect(page).toContain(`>${typed}</textarea>`);
  await proveAgo(services, 11);
  const unproved = await admin.post(path, { intent: "invite", addresses: "ada@example.com" });
  const again = await unproved.text();
  expect(again).toContain(">ada@example.com</textarea>");
  expect([unproved.status, await mails()]).toEqual([403, []]);
});

test("while sign-up is closed no one is invited, and the page says why", async () => {
  const { admin, mails } = await createOperatedApp({ SIGN_UP: "closed" });
  expect(await readPage(admin, path)).toContain("Set SIGN_UP to invite or open");
  expect((await admin.post(path, { intent: "invite", addresses: "ada@example.com" })).status).toBe(409);
  expect(await mails()).toEqual([]);
});

test("what is stored of an invitation goes with the account", async () => {
  const { admin, visitor, mails, services } = await createOperatedApp({ SIGN_UP: "invite" });
  await admin.post(path, { intent: "invite", addresses: "ada@example.com" });
  const ada = visitor();
  await ada.post(firstLink((await mails("invited"))[0]?.text), {});
  await ada.post("/auth?tab=signup", { intent: "sign-up", email: "ada@example.com", password: "tea with Charles" });
  const id = (await services.auth.findUserId("ada@example.com")) ?? "";
  await admin.post(`/admin/users/${id}`, { intent: "delete", confirm: "ada@example.com" });
  expect(await services.db.selectFrom("invitation").selectAll().execute()).toEqual([]);
  expect(await readPage(admin, "/admin/log")).not.toContain("ada@example.com");
});
