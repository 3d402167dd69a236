import { expect, test } from "vitest";

import { deleteAccount } from "#app/features/account/settings/account-deletion-data.server.ts";
import { day, openOwner } from "#tests/journeys/leads/lead-owner.ts";

async function open() {
  const owner = await openOwner();
  const press = async (intent: string) => {
    const response = await owner.ada.post("/leads/notifications", { intent });
    return /value="([^"]+\/calendar\/[^"]+)"/.exec(await response.text())?.[1] ?? "";
  };
  const fetchCalendar = (url: string, headers = {}) => owner.app.request(new URL(url).pathname, { headers });
  const events = async (url: string) => {
    const text = await (await fetchCalendar(url)).text();
    return [...text.matchAll(/^SUMMARY:(.+)\r$/gm)].map(([, title]) => title);
  };
  const setDay = (id: string, followUp: string, status = "new") =>
    owner.ada.post(`/leads/${id}`, { intent: "save", status, ownerNote: "", followUp, tags: "" });
  return { ...owner, press, fetchCalendar, events, setDay };
}

test("a secret address has the follow-up dates of open leads, for anyone, without a cookie", async () => {
  const { share, press, events, fetchCalendar, setDay } = await open();
  await share({ id: "late", follow_up: "2027-01-04" });
  await share({ id: "soon", follow_up: "2026-11-24", email: "grace@example.com", note: "Secret note" });
  await share({ id: "past", follow_up: "2026-10-01" });
  await share({ id: "none" });
  await share({ id: "won", follow_up: "2026-12-01" });
  await setDay("won", "2026-12-01", "won");
  for (const column of ["quarantined_at", "withdrawn_at", "deleted_at"])
    await share({ follow_up: "2026-12-01", [column]: 1 });
  const url = await press("create-calendar");
  expect(await events(url)).toEqual(["Follow up: Guest soon", "Follow up: Guest late"]);
  const response = await fetchCalendar(url);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    "content-type": "text/calendar; charset=utf-8",
    "cache-control": "private, no-cache",
    "x-robots-tag": "noindex",
  });
  expect(response.headers.get("set-cookie")).toBeNull();
  expect(await response.text()).not.toMatch(/grace@example\.com|Secret note/);
});

test("a changed date is a newer version of the same event, a cleared one is gone, an unchanged calendar has no body", async () => {
  const { share, press, fetchCalendar, setDay, time } = await open();
  await share({ id: "lead" });
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
  const etag = (await fetchCalendar(url)).headers.get("etag") ?? "";
  for (const known of [etag, `W/${etag}`, `"x", ${etag}`]) {
    const response = await fetchCalendar(url, { "if-none-match": known });
    expect([response.status, await response.text(), response.headers.get("etag")]).toEqual([304, "", etag]);
  }
  time.now += day;
  // Saved again with the same day.
  await setDay("lead", "2026-12-01");
  expect(await version()).toEqual(first);
  await setDay("lead", "2026-12-02");
  expect((await fetchCalendar(url, { "if-none-match": etag })).status).toBe(200);
  expect(await version()).toEqual({
    UID: first["UID"],
    SEQUENCE: "2",
    DTSTART: "VALUE=DATE:20261202",
    "LAST-MODIFIED": "20261124T110000Z",
  });
  await setDay("lead", "");
  expect(await version()).not.toHaveProperty("UID");
});

test("a new address is shown once, stored as a hash, not logged, and mailed to its owner without its secret", async () => {
  const { press, fetchCalendar, read, services, mails, mailsTo, ada, logLines } = await open();
  const url = await press("create-calendar");
  const secret = /calendar\/(.+)\.ics$/.exec(url)?.[1] ?? "none";
  await fetchCalendar(url);
  const mailed = async () =>
    (await mailsTo(ada.email)).filter(({ subject }) => subject === "A secret calendar address was created");
  expect(await mailed()).toHaveLength(1);
  const stored = await services.db.selectFrom("calendar_feed").selectAll().execute();
  for (const output of [await read("/leads/notifications"), stored, logLines, await mails()])
    expect(JSON.stringify(output)).not.toContain(secret);
  expect(logLines.some(({ path }) => typeof path === "string" && path.startsWith("/calendar/"))).toBe(true);
  for (let n = 0; n < 30; n++) await press("create-calendar");
  expect(await press("create-calendar")).toBe("");
  expect((await mailed()).length).toBeLessThan(25);
  // It can be ended at any time.
  await press("revoke-calendar");
  expect(await services.db.selectFrom("calendar_feed").selectAll().execute()).toEqual([]);
});

test("an address that was replaced, revoked or never created has nothing, and the security log says so", async () => {
  const { press, fetchCalendar, read, services, ownerId } = await open();
  const first = await press("create-calendar");
  const second = await press("create-calendar");
  for (const path of ["none.ics", "a".repeat(43), `${"a".repeat(43)}.ics`, "%2e%2e.ics"])
    expect((await fetchCalendar(`http://localhost/calendar/${path}`)).status).toBe(404);
  expect((await fetchCalendar(first)).status).toBe(404);
  expect((await fetchCalendar(second)).status).toBe(200);
  for (let n = 0; n < 2; n++) await press("revoke-calendar");
  expect((await fetchCalendar(second)).status).toBe(404);
  const events = await services.auth.securityEvents.list({ ownerId, limit: 10 });
  expect(events.map(({ event }) => event).toSorted()).toEqual([
    "calendar-address-created",
    "calendar-address-created",
    "calendar-address-revoked",
  ]);
  expect(await read("/account/security-log")).toContain("Revoked the secret calendar address");
});

test("a blocked or deleted account has no calendar", async () => {
  const { press, fetchCalendar, services, ownerId, wait } = await open();
  const url = await press("create-calendar");
  await services.db.insertInto("account_block").values({ owner_id: ownerId, reason: "", created_at: 1 }).execute();
  expect((await fetchCalendar(url)).status).toBe(404);
  await services.db.deleteFrom("account_block").execute();
  expect((await fetchCalendar(url)).status).toBe(200);
  await deleteAccount(services, { ownerId, feedback: "" });
  await wait();
  expect((await fetchCalendar(url)).status).toBe(404);
});

test("a calendar has at most 500 dates, those that are due first", async () => {
  const { shareMany, press, events } = await open();
  const dates = Array.from({ length: 501 }, (_, n) => (n === 0 ? "2027-01-01" : "2026-12-01"));
  await shareMany(dates.map((follow_up, n) => ({ follow_up, name: `Guest ${n}` })));
  const titles = await events(await press("create-calendar"));
  expect(titles).toHaveLength(500);
  expect(titles).not.toContain("Follow up: Guest 0");
});

test("a lead's page offers its date to calendars, and its owner alone gets the file", async () => {
  const { ada, share, setDay, signedIn, read } = await open();
  await share({ id: "lead" });
  expect(await read("/leads/lead")).not.toContain("calendar.google.com");
  expect((await ada.get("/leads/lead/follow-up.ics")).status).toBe(404);
  await setDay("lead", "2026-12-01");
  const html = await read("/leads/lead");
  // The last one is the calendar of all dates, which is hard to find otherwise.
  const links = ["dates=20261201%2F20261202", "https://outlook.office.com/", 'href="/leads/notifications#calendar"'];
  for (const link of links) expect(html).toContain(link);
  const file = await ada.get("/leads/lead/follow-up.ics");
  expect(file.headers.get("content-disposition")).toContain('filename="follow-up.ics"');
  expect(await file.text()).toContain("SUMMARY:Follow up: Guest lead");
  const eve = await signedIn("eve@example.com");
  expect((await eve.get("/leads/lead/follow-up.ics")).status).toBe(404);
});
