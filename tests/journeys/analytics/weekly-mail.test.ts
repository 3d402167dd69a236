import PostalMime from "postal-mime";
import { describe, expect, test } from "vitest";

import { feature as analytics } from "#app/features/analytics/feature.server.ts";
import { enqueueWeeklyMails } from "#app/features/analytics/weekly-mail/data.server.ts";
import { feature } from "#app/features/analytics/weekly-mail/feature.server.ts";
import { runMaintenance } from "#server/maintenance.ts";
import { openSmtpServer } from "#tests/support/app/smtp-server.ts";
import { changeAll } from "#tests/support/database/account-rows.ts";
import { listEngines, makeDatabase } from "#tests/support/database/databases.ts";

import { msPerDay, openAnalytics } from "#tests/journeys/analytics/owner.ts";

const turn = (isOn: string) => ({ intent: "weekly-mail", isOn });

/** Noon on Monday, 23 November 2026, with the mail turned on. */
async function open(options: Parameters<typeof openAnalytics>[0] = {}) {
  const app = await openAnalytics(options);
  const { ada, services, advance } = app;
  const count = (n: number, kind: "visit" | "click" | "save" = "visit") =>
    app.count(n, { kind, target: kind === "click" ? "mine" : "", source: kind === "visit" ? "qr" : "" });
  const wait = async (days: number) => {
    advance(days * msPerDay);
    await runMaintenance([analytics, feature], services);
    await services.jobs.runDue();
  };
  const mails = async () => (await app.mails()).filter(({ subject }) => subject?.startsWith("Your week"));
  await ada.post("/analytics", turn("on"));
  return { ...app, count, wait, mails };
}

describe("the weekly mail", () => {
  test("compares the week with the one before, and names the best link, the best source and notes", async () => {
    const { ada, count, wait, mails } = await open();
    await count(2);
    await wait(6);
    expect(await mails()).toEqual([]);
    await count(1);
    await wait(1);
    expect((await mails()).map(({ subject }) => subject)).toEqual(["Your week: 3 visits"]);
    await count(5);
    await count(2, "click");
    await count(1, "save");
    await ada.post("/analytics", { intent: "add-note", day: "2026-12-02", text: "Trade <fair>" });
    await wait(7);
    const mail = (await mails()).find(({ subject }) => subject === "Your week: 5 visits");
    expect(mail?.to).toBe(ada.email);
    for (const line of [
      "From November 30, 2026 to December 6, 2026, compared with the week before:",
      "Visits: 5 (2 more)",
      "QR scans: 5 (2 more)",
      "Saves: 1 (1 more)",
      "Link clicks: 2 (2 more)",
      "Leads: 0 (as many)",
      "Most followed link: My shop (2)",
      "Best source: QR code (5 visits)",
      "Your note on December 2, 2026: Trade <fair>",
      "/analytics?range=own&from=2026-11-30&to=2026-12-06",
    ])
      expect(mail?.text).toContain(line);
    expect(mail?.html).toContain("Trade &#60;fair&#62;");
  });

  test("has the totals alone on Free, and no website that a visitor made up", async () => {
    const { ada, id, visitor, count, wait, mails } = await open({ isFree: true });
    await visitor().get(`/u/${id}`, { referer: "https://buy-here.example/" });
    await count(2);
    await count(1, "click");
    await ada.post("/analytics", { intent: "add-note", day: "2026-11-24", text: "Trade fair" });
    await wait(7);
    const [mail] = await mails();
    expect(mail?.text).toContain("Visits: 3\n");
    expect(mail?.text).not.toMatch(/compared|buy-here|more|range=own|Most followed|Best source|Trade fair/);
  });

  test("isn't sent after two weeks without a visit, nor to who didn't ask or turned it off", async () => {
    const { ada, count, wait, mails, read } = await open();
    await count(1);
    await wait(7);
    await wait(7);
    expect(await mails()).toHaveLength(2);
    await wait(7);
    expect(await mails()).toHaveLength(2);
    await count(1);
    await ada.post("/analytics", turn(""));
    await wait(7);
    expect(await mails()).toHaveLength(2);
    expect(await read("/analytics")).toMatch(/Weekly email Off .*pauses after two weeks without a visit.* Turn on/);
  });

  test.each(listEngines())("is added once by two processes that look at the same time, on %s", async (engine) => {
    const { databaseUrl } = await makeDatabase(engine);
    const { count, advance, services, mails } = await open({ env: databaseUrl ? { DATABASE_URL: databaseUrl } : {} });
    await count(1);
    advance(7 * msPerDay);
    await Promise.all(Array.from({ length: 5 }, () => enqueueWeeklyMails(services)));
    await services.jobs.runDue();
    await enqueueWeeklyMails(services);
    await services.jobs.runDue();
    expect(await mails()).toHaveLength(1);
  });

  test("is turned off by mail programs and people without signing in, by a signed link", async () => {
    await using smtp = await openSmtpServer();
    const { app, ada, id, services, visitor, count, wait } = await open({
      env: { SMTP_URL: smtp.url, MAIL_FROM: "m@example.com" },
    });
    await changeAll(services, "user", { emailVerified: 1 });
    await count(1);
    await wait(7);
    const received = await Promise.all(smtp.received.map((raw) => PostalMime.parse(raw)));
    const mail = received.find(({ subject }) => subject === "Your week: 1 visit");
    const header = (key: string) => mail?.headers.find((one) => one.key === key)?.value;
    const [, url = ""] = /^<(.+)>$/.exec(header("list-unsubscribe") ?? "") ?? [];
    expect(header("list-unsubscribe-post")).toBe("List-Unsubscribe=One-Click");
    const stop = new URL(url).pathname;
    const path = (await visitor().get(stop)).headers.get("location") ?? "";
    expect(await (await visitor().get(path)).text()).toContain("They are on.");
    for (const changed of [path.slice(0, -1), path.replace(id, `x${id}`), "/weekly-mail/x"]) {
      expect((await visitor().get(changed)).status).toBe(404);
      expect((await visitor().post(`${changed}/stop`, {})).status).toBe(404);
    }
    const oneClick = await app.request(stop, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: "List-Unsubscribe=One-Click",
    });
    expect([oneClick.status, oneClick.headers.get("set-cookie")]).toEqual([200, null]);
    expect(await (await visitor().get(path)).text()).toContain("They are off.");
    await ada.post("/analytics", turn("on"));
    const pressed = await visitor().post(stop, {});
    expect([pressed.status, pressed.headers.get("location")]).toEqual([303, path]);
    expect(await services.db.selectFrom("weekly_mail").selectAll().execute()).toEqual([]);
  });
});
