import { expect, test } from "vitest";

import { scheduleBehind } from "#app/features/integrations/send-tasks.server.ts";
import { eraseLeads, withdrawConsent } from "#app/features/leads/data.server.ts";
import { mergeLeads } from "#app/features/leads/inbox/merge/merge-data.server.ts";
import { hasServices } from "#app/features/leads/services-data.server.ts";
import { hour, openOwner } from "#tests/journeys/leads/lead-owner.ts";
import { userIdOf } from "#tests/support/app/profiles.ts";
import { insertRows } from "#tests/support/database/account-rows.ts";
import { insertLead, servicesText } from "#tests/support/database/leads.ts";
import { openContactServices } from "#tests/support/providers/contact-services.ts";

import { openIntegration } from "./integration-owner.ts";

/** An owner whose leads are copied to HubSpot. */
async function openHub() {
  const double = await openContactServices();
  const owner = await openOwner({ allowedOrigins: [double.origin] });
  const { services, ada } = owner;
  const send = services.sendPublicly;
  services.sendPublicly = (url, message) => {
    const { host, pathname, search } = new URL(url);
    return send(`${double.origin}/${host}${pathname}${search}`, message);
  };
  const response = await ada.post("/integrations/new/hubspot", { token: "pat-right" });
  const path = response.headers.get("location") ?? "";
  const run = async (ms = 0) => {
    owner.time.now += ms;
    await scheduleBehind(services);
    await services.jobs.runDue();
  };
  const contacts = double.contacts.get("hubspot") ?? [];
  const emails = () => contacts.map(({ email }) => email);
  return { ...owner, double, path, run, contacts, emails };
}

type Owner = Awaited<ReturnType<typeof openHub>>;

async function changeEmail({ ada }: Pick<Owner, "ada">, id: string, email: string) {
  const page = await (await ada.get(`/leads/${id}/edit`)).text();
  const version = /name="version" value="([^"]*)"/.exec(page)?.[1] ?? "";
  await ada.post(`/leads/${id}/edit`, { version, name: "Grace", "emails.0": email });
}

test("two people with one address who are erased together leave nothing", async () => {
  const { share, run, emails, services, ownerId } = await openHub();
  const ids = [];
  for (const name of ["A", "B"]) ids.push(await share({ name, email: "desk@example.com" }, servicesText));
  await run();
  await run(hour);
  expect(emails()).toEqual(["desk@example.com"]);
  await eraseLeads(services, { ownerId, ids });
  await run(hour);
  await run(hour);
  expect(emails()).toEqual([]);
});

test.for([1, 2, 3, 4])(
  "a changed address whose request %i fails leaves one contact, and none in the end",
  async (at) => {
    const owner = await openHub();
    const { share, run, emails, services, ownerId, double } = owner;
    const id = await share({ name: "Grace", email: "old@example.com" }, servicesText);
    await run();
    await changeEmail(owner, id, "new@example.com");
    for (const isLosing of [false, true]) {
      let count = 0;
      double.services.failing = () => {
        double.services.isLosing = isLosing && ++count === at;
        return !isLosing && ++count === at ? { status: 503 } : undefined;
      };
      await run(hour);
    }
    double.services.failing = undefined;
    double.services.isLosing = false;
    await run(24 * hour);
    expect(emails()).toEqual(["new@example.com"]);
    await eraseLeads(services, { ownerId, ids: [id] });
    await run(hour);
    expect(emails()).toEqual([]);
  },
);

test("a contact that the owner adds after a refusal stays theirs", async () => {
  const { ada, path, share, run, contacts, services, ownerId, double } = await openHub();
  const id = await share({ name: "Grace", email: "grace@example.com" }, servicesText);
  let count = 0;
  double.services.failing = () => (++count === 2 ? { status: 403 } : undefined);
  await run();
  double.services.failing = undefined;
  contacts.push({ id: 7, email: "grace@example.com", name: "By hand", lists: [], status: "" });
  await ada.post(`${path}/edit`, { token: "pat-right-2" });
  await run(hour);
  await eraseLeads(services, { ownerId, ids: [id] });
  await run(hour);
  expect(contacts).toMatchObject([{ id: 7 }]);
});

test("a deletion is tried until the service is there again", async () => {
  const { share, run, emails, services, ownerId, double } = await openHub();
  const id = await share({ name: "Grace", email: "grace@example.com" }, servicesText);
  await run();
  await eraseLeads(services, { ownerId, ids: [id] });
  double.services.failing = () => ({ status: 503 });
  for (let tries = 0; tries < 60; tries++) await run(hour);
  double.services.failing = undefined;
  await run(24 * hour);
  expect(emails()).toEqual([]);
});

test("another server gets everyone anew, and no one there is changed or deleted", async () => {
  const { ada, id, settings, shareNews, run, double, services, ownerId, list } = await openIntegration();
  const grace = await shareNews("grace@example.com");
  await run();
  // The other server knows someone else by the same number.
  const known = { id: 101, email: "customer@example.com", name: "Customer", lists: [9], status: "enabled" };
  double.contacts.set("listmonk", [{ ...known }]);
  await ada.post(`/integrations/${id}/edit`, { ...settings, url: `${double.origin}/listmonk-2` });
  await run();
  expect(list()).toEqual([
    ["customer@example.com", "Customer"],
    ["grace@example.com", "Guest grace@example.com"],
  ]);
  await eraseLeads(services, { ownerId, ids: [grace] });
  await run(hour);
  expect(double.contacts.get("listmonk")).toEqual([known]);
});

test("settings that are saved, and a pause, count from the next contact on", async () => {
  const { ada, id, settings, shareNews, run, double, services, time } = await openIntegration();
  for (let n = 0; n < 20; n++) {
    const lead = await shareNews(`guest-${n}@example.com`);
    await services.db.updateTable("lead").set({ company: "Navy" }).where("id", "=", lead).execute();
  }
  const all = () => double.contacts.get("listmonk") ?? [];
  let count = 0;
  let change: Promise<unknown> | undefined;
  const during = async (of: () => Promise<unknown>) => {
    count = 0;
    double.services.failing = () => {
      if (++count !== 3) return undefined;
      time.now += 1_000;
      change = of();
      return undefined;
    };
    await run();
    await change;
    double.services.failing = undefined;
  };
  await during(() => ada.post(`/integrations/${id}/edit`, { ...settings, companyField: "company" }));
  await run();
  expect(all().filter(({ fields }) => JSON.stringify(fields) === '{"company":"Navy"}')).toHaveLength(20);

  for (let n = 20; n < 40; n++) await shareNews(`guest-${n}@example.com`);
  await during(() => ada.post(`/integrations/${id}`, { intent: "pause" }));
  expect(all().length).toBeLessThan(30);
});

test("a late refusal of the former key doesn’t stop the new one", async () => {
  const { ada, id, settings, shareNews, run, services, list } = await openIntegration();
  await shareNews("grace@example.com");
  const send = services.sendPublicly;
  services.sendPublicly = async (url, message) => {
    services.sendPublicly = send;
    await ada.post(`/integrations/${id}/edit`, { ...settings, user: "api2" });
    return { status: 401, retryAfter: undefined, text: "Expired", isCut: false, durationMs: 1, url, message };
  };
  await run();
  await run(hour);
  expect(list()).toHaveLength(1);
});

test("news that was withdrawn in an earlier lead of the same person ends, also for a blocked owner", async () => {
  const { run, shareNews, services, ownerId, list, time } = await openIntegration();
  const early = await shareNews("grace@example.com", "You may answer me.");
  time.now += hour;
  const late = await shareNews("grace@example.com");
  await mergeLeads(services.db, { ownerId, mainId: late, ids: [early], now: time.now });
  await run();
  expect(list()).toHaveLength(1);
  time.now += hour;
  const block = { owner_id: ownerId, reason: "Spam", created_at: time.now };
  await insertRows(services, { account_block: block });
  await withdrawConsent(services, { id: early, purposes: ["newsletter"] });
  await run(hour);
  expect(list()).toEqual([]);
});

test("what is there is counted while it waits, and forms name services while access is refused", async () => {
  const { ada, id, settings, shareNews, run, double, read, services, ownerId } = await openIntegration();
  for (const name of ["a", "b", "c"]) await shareNews(`${name}@example.com`);
  await run();
  await ada.post(`/integrations/${id}/edit`, { ...settings, companyField: "company" });
  double.services.failing = () => ({ status: 503 });
  await run();
  expect(await read(`/integrations/${id}`)).toMatch(/Contacts there<\/dt><dd[^>]*>3</);
  double.services.failing = () => ({ status: 401 });
  await run(hour);
  expect(await read(`/integrations/${id}`)).toContain("Access refused");
  expect(await hasServices(services.db, ownerId)).toBe(true);
});

test("two owners with one address book have contacts of their own there", async () => {
  const { services, ada, share, ownerId, time, signedIn } = await openOwner();
  const book = new Map<string, string>();
  services.sendPublicly = async (url, { method, body }) => {
    if (method === "PUT") book.set(url, /FN:(.*)\r/.exec(body)?.[1] ?? "");
    if (method === "DELETE") book.delete(url);
    const text = "urn:ietf:params:xml:ns:carddav addressbook";
    return { status: 207, retryAfter: undefined, text, isCut: false, durationMs: 1 };
  };
  const eve = await signedIn("eve@example.com");
  const settings = { url: "https://cloud.example.com/dav/team/leads/", user: "team", password: "x" };
  for (const one of [ada, eve]) await one.post("/integrations/new/carddav", settings);
  const id = await share({ name: "Lead of Ada", email: "a@example.com" }, servicesText);
  const lead = { name: "Lead of Eve", email: "e@example.com" };
  await insertLead(services, { id: "eves", ownerId: await userIdOf(eve), now: time.now, lead, text: servicesText });
  const run = async () => {
    await scheduleBehind(services);
    await services.jobs.runDue();
  };
  await run();
  expect([...book.values()].toSorted()).toEqual(["Lead of Ada", "Lead of Eve"]);
  await eraseLeads(services, { ownerId, ids: [id] });
  await run();
  expect([...book.values()]).toEqual(["Lead of Eve"]);
});
