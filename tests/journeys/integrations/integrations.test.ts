import { expect, test } from "vitest";

import { eraseLeads, withdrawConsent } from "#app/features/leads/data.server.ts";
import { servicesText } from "#tests/support/database/leads.ts";

import { openIntegration } from "./integration-owner.ts";

const [minute, hour] = [60_000, 3_600_000];

test("a list gets those who agreed to news, their changes, and the end of their consent", async () => {
  const { ada, id, share, shareNews, run, list, services, ownerId, read, double, states } = await openIntegration();
  const grace = await shareNews("grace@example.com");
  const alan = await shareNews("alan@example.com");
  await share({ email: "only-answer@example.com" }, servicesText);
  // Agreed before the owner had services.
  await shareNews("earlier@example.com", "Ada may answer me.");
  await run();
  expect(list()).toEqual([
    ["alan@example.com", "Guest alan@example.com"],
    ["grace@example.com", "Guest grace@example.com"],
  ]);
  expect(await states()).toEqual(["left-out", "left-out", "sent", "sent"]);
  const requests = double.received.length;
  await run(hour);
  expect(double.received.length).toBe(requests);

  const page = await (await ada.get(`/leads/${alan}/edit`)).text();
  const version = /name="version" value="([^"]*)"/.exec(page)?.[1] ?? "";
  await ada.post(`/leads/${alan}/edit`, { version, name: "Alan Turing", "emails.0": "alan@example.com" });
  await run();
  expect(list()).toContainEqual(["alan@example.com", "Alan Turing"]);

  await withdrawConsent(services, { id: grace, purposes: ["newsletter"] });
  await run();
  expect(list()).toEqual([["alan@example.com", "Alan Turing"]]);
  await eraseLeads(services, { ownerId, ids: [alan] });
  await run();
  expect(list()).toEqual([]);
  const html = await read(`/integrations/${id}`);
  expect(html).toContain("Deleted there");
  expect(html).not.toContain("alan@example.com");
  const stored = await services.db.selectFrom("integration_contact").selectAll().execute();
  expect(stored.filter(({ state }) => state === "removed")).toMatchObject([
    { remote_id: "", sent_hash: "" },
    { remote_id: "", sent_hash: "" },
  ]);
});

test("fields that the owner names later reach the contacts that are there", async () => {
  const { ada, id, settings, shareNews, run, double } = await openIntegration();
  const grace = await shareNews("grace@example.com");
  await run();
  expect(double.contacts.get("listmonk")).toMatchObject([{ fields: {} }]);
  const page = await (await ada.get(`/leads/${grace}/edit`)).text();
  const version = /name="version" value="([^"]*)"/.exec(page)?.[1] ?? "";
  await ada.post(`/leads/${grace}/edit`, { version, name: "Grace", company: "Navy", "emails.0": "grace@example.com" });
  await run();
  await ada.post(`/integrations/${id}/edit`, { ...settings, companyField: "company" });
  await run();
  expect(double.contacts.get("listmonk")).toMatchObject([{ fields: { company: "Navy" } }]);
  const requests = double.received.length;
  await ada.post(`/integrations/${id}/edit`, { ...settings, companyField: "company" });
  await run();
  // The connection was tested, and nothing sent again.
  expect(double.received.length).toBe(requests + 1);
});

test("answers that fail are repeated until each contact is there once", async () => {
  const { shareNews, run, list, double, services, states } = await openIntegration();
  for (let n = 0; n < 20; n++) await shareNews(`guest-${n}@example.com`);
  let count = 0;
  double.services.failing = () => (++count % 3 === 0 ? { status: 503 } : undefined);
  await run();
  double.services.isLosing = true;
  await run(minute * 2);
  double.services.isLosing = false;
  for (let tries = 0; tries < 20; tries++) await run(hour);
  expect(new Set(list().map(([email]) => email)).size).toBe(20);
  expect(list()).toHaveLength(20);
  expect(new Set(await states())).toEqual(new Set(["sent"]));
  // Also those whose answer was lost are known to be ours.
  const rows = await services.db.selectFrom("integration_contact").select("remote_id").execute();
  expect(rows.filter(({ remote_id }) => !remote_id.startsWith("+"))).toEqual([]);
});

test("a contact that was there before is never deleted, also after failures", async () => {
  const { shareNews, run, double, services } = await openIntegration();
  double.contacts
    .get("listmonk")
    ?.push({ id: 7, email: "grace@example.com", name: "Own", lists: [1], status: "enabled" });
  const grace = await shareNews("grace@example.com");
  double.services.failing = () => ({ status: 503, body: { message: "Out of order" } });
  await run();
  double.services.failing = undefined;
  await run(hour);
  expect(double.contacts.get("listmonk")).toMatchObject([{ id: 7, name: "Own", lists: [1, 3] }]);
  await withdrawConsent(services, { id: grace, purposes: ["newsletter"] });
  await run();
  expect(double.contacts.get("listmonk")).toMatchObject([{ id: 7, name: "Own", lists: [1] }]);
});

test("a consent that ends before a lost answer is repeated leaves a note", async () => {
  const { id, shareNews, run, double, services, ownerId, states, read } = await openIntegration();
  const grace = await shareNews("grace@example.com");
  // The search is answered, the creation isn't.
  let count = 0;
  double.services.failing = () => {
    double.services.isLosing = ++count > 1;
    return undefined;
  };
  await run();
  double.services.failing = undefined;
  double.services.isLosing = false;
  await eraseLeads(services, { ownerId, ids: [grace] });
  await run(hour);
  expect(await states()).toEqual(["given-up"]);
  expect(await read(`/integrations/${id}`)).toContain("so the contact may be there. Delete it there.");
});

test("what fails for a day is given up, and can be tried again", async () => {
  const { ada, id, shareNews, run, list, double, states, read } = await openIntegration();
  await shareNews("grace@example.com");
  double.services.failing = () => ({ status: 500, body: { message: "Out of order" } });
  for (let tries = 0; tries < 30; tries++) await run(hour);
  expect(await states()).toEqual(["given-up"]);
  const html = await read(`/integrations/${id}`);
  expect(html).toContain("Not sent");
  expect(html).toContain("Answer 500. {&quot;message&quot;:&quot;Out of order&quot;}");
  double.services.failing = undefined;
  await ada.post(`/integrations/${id}`, { intent: "retry" });
  await run();
  expect(list()).toHaveLength(1);
});

test("a service that requests a pause gets one", async () => {
  const { shareNews, run, list, double } = await openIntegration();
  for (const name of ["a", "b", "c"]) await shareNews(`${name}@example.com`);
  const before = double.received.length;
  double.services.failing = () => ({ status: 429 });
  await run();
  expect(double.received.length).toBe(before + 1);
  double.services.failing = undefined;
  await run(minute);
  expect(double.received.length).toBe(before + 1);
  await run(2 * minute);
  expect(list()).toHaveLength(3);
});

test("a key that is no longer accepted stops everything, its owner is notified once, and a new key goes on", async () => {
  const { ada, id, settings, shareNews, run, list, double, mailsTo, read } = await openIntegration();
  await shareNews("grace@example.com");
  double.services.failing = () => ({ status: 401, body: { message: "Token revoked" } });
  for (let tries = 0; tries < 3; tries++) await run(hour);
  const mails = (await mailsTo(ada.email)).filter(({ subject }) => subject.startsWith("listmonk no longer"));
  expect(mails).toHaveLength(1);
  expect(mails[0]?.text).toContain(`/integrations/${id}/edit`);
  expect(await read(`/integrations/${id}`)).toContain("Access refused");
  const refused = await ada.post(`/integrations/${id}/edit`, settings);
  expect(refused.status).toBe(400);
  expect(await refused.text()).toContain("listmonk doesn’t accept this. Answer 401.");
  double.services.failing = undefined;
  expect((await ada.post(`/integrations/${id}/edit`, settings)).status).toBe(302);
  await run();
  expect(list()).toHaveLength(1);
});

test("two people with one address are one contact there, until both consents end", async () => {
  const { shareNews, run, list, services } = await openIntegration();
  const [first, second] = [await shareNews("desk@example.com"), await shareNews("desk@example.com")];
  await run();
  expect(list()).toHaveLength(1);
  await withdrawConsent(services, { id: first, purposes: ["newsletter"] });
  await run();
  await run();
  expect(list()).toHaveLength(1);
  await withdrawConsent(services, { id: second, purposes: ["newsletter"] });
  await run();
  expect(list()).toEqual([]);
});

test("a service is connected after a test, with errors beside the fields, and is its owner’s alone", async () => {
  const { ada, id, connect, services, signedIn, read, ownerId, run, shareNews, double } = await openIntegration();
  const wrong = await connect({ token: "wrong" });
  expect(wrong.status).toBe(400);
  const html = await wrong.text();
  expect(html).toContain("listmonk doesn’t accept this. Answer 401.");
  expect(html).toContain('value="api"');
  const private_ = await (await connect({ url: "https://127.0.0.1", list: "News" })).text();
  expect(private_).toContain("This address isn’t on the internet.");
  expect(private_).toContain("Enter the number of the list.");
  expect((await ada.get("/integrations/new/unknown")).status).toBe(404);
  expect(await read("/integrations")).toContain("listmonk");
  // The key is encrypted, and never shown again.
  const { settings } = await services.db.selectFrom("integration").select("settings").executeTakeFirstOrThrow();
  expect(settings).not.toContain("right");
  expect(await read(`/integrations/${id}/edit`)).not.toContain('value="right"');
  const eve = await signedIn("eve@example.com");
  for (const path of [`/integrations/${id}`, `/integrations/${id}/edit`])
    expect((await eve.get(path)).status).toBe(404);
  expect((await eve.post(`/integrations/${id}`, { intent: "delete" })).status).toBe(404);
  // Pressed twice.
  expect((await connect()).headers.get("location")).toBe(`/integrations/${id}`);
  for (let count = 1; count < 5; count++) await connect({ user: `user-${count}` });
  expect((await connect({ user: "user-5" })).status).toBe(409);

  await ada.post(`/integrations/${id}`, { intent: "pause" });
  const before = double.received.length;
  await services.db.deleteFrom("integration").where("id", "<>", id).execute();
  await shareNews("grace@example.com");
  await run();
  expect(double.received.length).toBe(before);
  await ada.post(`/integrations/${id}`, { intent: "resume" });
  await run();
  expect(double.received.length).toBeGreaterThan(before);
  await ada.post(`/integrations/${id}`, { intent: "delete" });
  expect(await services.db.selectFrom("integration_contact").selectAll().execute()).toEqual([]);
  const events = await services.db
    .selectFrom("security_event")
    .select("event")
    .where("owner_id", "=", ownerId)
    .execute();
  expect(events.map(({ event }) => event)).toEqual(
    expect.arrayContaining(["integration-added", "integration-deleted"]),
  );
});
