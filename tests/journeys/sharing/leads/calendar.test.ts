import { expect, test } from "vitest";

import { insertLead } from "#tests/support/database/leads.ts";
import { userIdOf } from "#tests/support/app/profiles.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";

const day = 86_400_000;

async function open() {
  const time = { now: Date.UTC(2026, 10, 23, 11) };
  const app = await createTestApp({ clock: () => time.now });
  const ada = await app.signedIn();
  const ownerId = await userIdOf(ada);
  const share = (id: string, lead: Parameters<typeof insertLead>[1]["lead"] = {}) =>
    insertLead(app.services, { id, ownerId, now: time.now, lead: { name: `Guest ${id}`, ...lead } });
  const press = async (intent: string) => {
    const response = await ada.post("/leads/notifications", { intent });
    return /value="([^"]+\/calendar\/[^"]+)"/.exec(await response.text())?.[1] ?? "";
  };
  const fetchCalendar = (url: string, headers = {}) => app.app.request(new URL(url).pathname, { headers });
  const events = async (url: string) => {
    const text = await (await fetchCalendar(url)).text();
    return [...text.matchAll(/^SUMMARY:(.+)\r$/gm)].map(([, title]) => title);
  };
  const setDay = (id: string, followUp: string, status = "new") =>
    ada.post(`/leads/${id}`, { intent: "save", status, ownerNote: "", followUp, tags: "" });
  return { ...app, ada, ownerId, time, share, press, fetchCalendar, events, setDay };
}

test("a secret address has the follow-up dates of open leads, for anyone, without a cookie", async () => {
  const { share, press, events, fetchCalendar, setDay } = await open();
  await share("late", { follow_up: "2027-01-04" });
  await share("soon", { follow_up: "2026-11-24", email: "grace@example.com", note: "Secret note" });
  await share("past", { follow_up: "2026-10-01" });
  await share("none");
  await share("won", { follow_up: "2026-12-01" });
  await setDay("won", "2026-12-01", "won");
  await share("spam", { follow_up: "2026-12-01", quarantined_at: 1 });
  const url = await press("create-calendar");
  expect(await events(url)).toEqual(["Follow up: Guest soon", "Follow up: Guest late"]);
  const response = await fetchCalendar(url);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    "content-type": "text/calendar; charset=utf-8",
    "cache-control": "private, no-cache",
    "x-robots-tag": "noindex",
  });
  expect(response.headers.get("set-cookie")).toBeNull();
  const text = await response.text();
  for (const detail of ["grace@example.com", "Secret note"]) expect(text).not.toContain(detail);
});

test("a changed date is a newer version of the same event, and a cleared one is gone", async () => {
  const { share, press, fetchCalendar, setDay, time } = await open();
  await share("lead");
  await setDay("lead", "2026-12-01");
  const url = await press("create-calendar");
  const version = async () => {
    const text = await (await fetchCalendar(url)).text();
    return Object.fromEntries(
      [...text.matchAll(/^(UID|SEQUENCE|DTSTART|LAST-MODIFIED)[:;](.+)\r$/gm)].map(([, name, value]) => [name, value]),
    );
  };
  const first = await version();
  expect(first).toMatchObject({ SEQUENCE: "1", DTSTART: "VALUE=DATE:20261201", "LAST-MODIFIED": "20261123T110000Z" });
  time.now += day;
  // Saved again with the same day.
  await setDay("lead", "2026-12-01");
  expect(await version()).toEqual(first);
  await setDay("lead", "2026-12-02");
  expect(await version()).toEqual({
    UID: first["UID"],
    SEQUENCE: "2",
    DTSTART: "VALUE=DATE:20261202",
    "LAST-MODIFIED": "20261124T110000Z",
  });
  await setDay("lead", "");
  expect(await version()).toEqual({});
});

test("a new address is mailed to its owner without its secret, in case it wasn't them, and a few are possible in an hour", async () => {
  const { press, services, mails } = await open();
  const url = await press("create-calendar");
  const mailed = async () => {
    await services.jobs.runDue();
    return (await mails()).filter(({ subject }) => subject === "A secret calendar address was created");
  };
  const [mail, ...others] = await mailed();
  expect(others).toEqual([]);
  expect(mail?.to).toBe("ada@example.com");
  expect(`${mail?.text} ${mail?.html}`).not.toContain(new URL(url).pathname);
  for (let n = 0; n < 30; n++) await press("create-calendar");
  expect(await press("create-calendar")).toBe("");
  expect((await mailed()).length).toBeLessThan(25);
  // It can be ended at any time.
  await press("revoke-calendar");
  expect(await services.db.selectFrom("calendar_feed").selectAll().execute()).toEqual([]);
});

test("an unchanged calendar is answered without a body", async () => {
  const { share, press, fetchCalendar, setDay } = await open();
  await share("lead", { follow_up: "2026-12-01" });
  const url = await press("create-calendar");
  const etag = (await fetchCalendar(url)).headers.get("etag") ?? "";
  for (const known of [etag, `W/${etag}`, `"x", ${etag}`]) {
    const response = await fetchCalendar(url, { "if-none-match": known });
    expect([response.status, await response.text(), response.headers.get("etag")]).toEqual([304, "", etag]);
  }
  await setDay("lead", "2026-12-02");
  expect((await fetchCalendar(url, { "if-none-match": etag })).status).toBe(200);
});

test("an address that was replaced or revoked has nothing any more, and the security log says so", async () => {
  const { ada, press, fetchCalendar, services, ownerId } = await open();
  const first = await press("create-calendar");
  const second = await press("create-calendar");
  expect(second).not.toBe(first);
  expect((await fetchCalendar(first)).status).toBe(404);
  expect((await fetchCalendar(second)).status).toBe(200);
  await press("revoke-calendar");
  expect((await fetchCalendar(second)).status).toBe(404);
  await press("revoke-calendar");
  const events = await services.auth.securityEvents.list({ ownerId, limit: 10 });
  expect(events.map(({ event }) => event).toSorted()).toEqual([
    "calendar-address-created",
    "calendar-address-created",
    "calendar-address-revoked",
  ]);
  expect(await (await ada.get("/account/security-log")).text()).toContain("Revoked the secret calendar address");
});

test("the address is shown once, is stored as a hash and isn't logged", async () => {
  const { ada, press, fetchCalendar, services, logLines } = await open();
  const url = await press("create-calendar");
  const secret = /calendar\/(.+)\.ics$/.exec(url)?.[1] ?? "none";
  await fetchCalendar(url);
  expect(await (await ada.get("/leads/notifications")).text()).not.toContain(secret);
  expect(JSON.stringify(await services.db.selectFrom("calendar_feed").selectAll().execute())).not.toContain(secret);
  expect(JSON.stringify(logLines)).not.toContain(secret);
  expect(logLines.some(({ path }) => typeof path === "string" && path.startsWith("/calendar/"))).toBe(true);
});

test("addresses that were never created are not found, whatever they look like", async () => {
  const { fetchCalendar } = await open();
  for (const path of ["none.ics", "none", `${"a".repeat(43)}.ics`, "a".repeat(43), "%2e%2e.ics"])
    expect((await fetchCalendar(`http://localhost/calendar/${path}`)).status).toBe(404);
});

test("withdrawn and deleted leads leave the calendar, a blocked or deleted account has none", async () => {
  const { share, press, events, fetchCalendar, services, ownerId } = await open();
  for (const id of ["a", "b", "c"]) await share(id, { follow_up: "2026-12-01" });
  const url = await press("create-calendar");
  const change = services.db.updateTable("lead");
  await change.set({ withdrawn_at: 1 }).where("id", "=", "a").execute();
  await change.set({ deleted_at: 1 }).where("id", "=", "b").execute();
  expect(await events(url)).toEqual(["Follow up: Guest c"]);
  await services.db.insertInto("account_block").values({ owner_id: ownerId, reason: "", created_at: 1 }).execute();
  expect((await fetchCalendar(url)).status).toBe(404);
  await services.db.deleteFrom("account_block").execute();
  expect((await fetchCalendar(url)).status).toBe(200);
  const { deleteAccount } = await import("#app/features/account/settings/account-deletion-data.server.ts");
  await deleteAccount(services, { ownerId, feedback: "" });
  await services.jobs.runDue();
  expect((await fetchCalendar(url)).status).toBe(404);
});

test("a calendar has at most 500 dates, those that are due first", async () => {
  const { share, press, events } = await open();
  for (let n = 0; n < 501; n++) await share(`lead-${n}`, { follow_up: n === 0 ? "2027-01-01" : "2026-12-01" });
  const titles = await events(await press("create-calendar"));
  expect(titles).toHaveLength(500);
  expect(titles).not.toContain("Follow up: Guest lead-0");
});

test("a lead's page offers its date to calendars, and its owner alone gets the file", async () => {
  const { ada, share, setDay, signedIn } = await open();
  await share("lead");
  expect(await (await ada.get("/leads/lead")).text()).not.toContain("calendar.google.com");
  expect((await ada.get("/leads/lead/follow-up.ics")).status).toBe(404);
  await setDay("lead", "2026-12-01");
  const html = await (await ada.get("/leads/lead")).text();
  expect(html).toContain("dates=20261201%2F20261202");
  expect(html).toContain("https://outlook.office.com/calendar/0/deeplink/compose?");
  // The calendar of all dates, which is hard to find otherwise.
  expect(html).toContain('href="/leads/notifications#calendar"');
  const file = await ada.get("/leads/lead/follow-up.ics");
  expect(file.headers.get("content-disposition")).toContain('filename="follow-up.ics"');
  expect(await file.text()).toContain("SUMMARY:Follow up: Guest lead");
  const eve = await signedIn("eve@example.com");
  expect((await eve.get("/leads/lead/follow-up.ics")).status).toBe(404);
});
