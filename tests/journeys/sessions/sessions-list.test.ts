import { describe, expect, test } from "vitest";

import { toastIn } from "#tests/support/app/responses.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import type { TestApp } from "#tests/support/app/test-app.ts";

type TestUser = Awaited<ReturnType<TestApp["signedIn"]>>;

const page = "/account/sessions";
const cookie = "meishi.session_token";
const firefox = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:144.0) Gecko/20100101 Firefox/144.0";

/** Ada in the browser that the database starts with, and in Firefox on Windows. */
async function openTwoBrowsers() {
  const app = await createTestApp();
  const ada = await app.signedIn();
  const other = await signInAgain(app, ada);
  return { app, ada, other };
}

async function signInAgain(app: TestApp, { email, password }: TestUser) {
  const other = app.visitor();
  await other.post("/auth", { intent: "log-in", email, password }, { "user-agent": firefox });
  return other;
}

describe("the sessions page", () => {
  test("names each browser, how it signed in, and which one this is", async () => {
    const { app, ada, other } = await openTwoBrowsers();
    await app.signedIn("bob@example.com");
    const html = await (await other.get(page)).text();
    const items = [...html.matchAll(/<li class[^]*?<\/li>/g)].map(([item]) => item.replaceAll(/<[^>]+>/g, " "));
    const listed = items.filter((item) => item.includes("Signed in"));
    expect(listed).toHaveLength(2);
    expect(listed[0]).toMatch(/Firefox on Windows\s+This browser\s+Active now · Signed in .* · Password/);
    expect(listed[1]).toMatch(/Unknown browser\s+Active in the last 24 hours/);
    expect(await (await ada.get("/account")).text()).toContain(`href="${page}"`);
  });

  test("does not list sessions that have ended", async () => {
    const { app, ada } = await openTwoBrowsers();
    const old = new Date(Date.now() - 91 * 86_400_000).toISOString();
    await app.services.db
      .updateTable("session" as "setting")
      .set({ createdAt: old } as never)
      .where("browser" as "value", "=", "Firefox on Windows")
      .execute();
    expect(await (await ada.get(page)).text()).not.toContain("Firefox on Windows");
  });
});

describe("signing out", () => {
  test("of one browser ends its session, and is recorded", async () => {
    const { app, ada, other } = await openTwoBrowsers();
    const id = await findSessionId(app, "Firefox on Windows");
    const ended = await ada.post(page, { intent: "end", id });
    expect(toastIn(ended)).toMatchObject({ title: "Signed out", text: "Firefox on Windows" });
    expect((await other.get("/account")).headers.get("location")).toBe("/auth?returnTo=%2Faccount");
    expect((await ada.get("/account")).status).toBe(200);
    expect(await listEndings(app)).toEqual(["Firefox on Windows"]);
    expect(toastIn(await ada.post(page, { intent: "end", id }))).toMatchObject({
      title: "That browser was already signed out.",
    });
  });

  test("never ends a session of another account", async () => {
    const { app, other } = await openTwoBrowsers();
    const eve = await app.signedIn("eve@example.com");
    await eve.post(page, { intent: "end", id: await findSessionId(app, "Firefox on Windows") });
    await eve.post(page, { intent: "end-others" });
    await eve.post(page, { intent: "end-all" });
    expect((await other.get("/account")).status).toBe(200);
  });

  test("of all others keeps this browser", async () => {
    const { app, ada, other } = await openTwoBrowsers();
    const third = await signInAgain(app, ada);
    expect(toastIn(await ada.post(page, { intent: "end-others" }))).toMatchObject({
      title: "Your other browsers are signed out",
    });
    for (const ended of [other, third]) expect((await ended.get("/account")).status).toBe(302);
    expect((await ada.get("/account")).status).toBe(200);
    expect(await listEndings(app)).toEqual(["others"]);
    expect(toastIn(await ada.post(page, { intent: "end-others" }))).toMatchObject({ tone: "info" });
  });

  test("everywhere ends this session too, with its cookie", async () => {
    const { app, ada, other } = await openTwoBrowsers();
    const done = await ada.post(page, { intent: "end-all" });
    expect(done.headers.get("location")).toBe("/auth");
    expect(done.headers.get("clear-site-data")).toBe('"storage"');
    expect(ada.cookies.has(cookie)).toBe(false);
    expect((await other.get("/account")).status).toBe(302);
    expect(await listEndings(app)).toEqual(["all"]);
  });

  test("asks first who the user is, if that was long ago", async () => {
    const { app, ada, other } = await openTwoBrowsers();
    await app.services.db
      .updateTable("session" as "setting")
      .set({ verifiedAt: 0 } as never)
      .execute();
    for (const intent of ["end", "end-others", "end-all"]) {
      const refused = await ada.post(page, { intent, id: await findSessionId(app, "Firefox on Windows") });
      expect(refused.headers.get("location")).toBe("/account/verify?returnTo=%2Faccount%2Fsessions");
    }
    expect((await other.get("/account")).status).toBe(200);
  });
});

describe("a request that was under way when its session got a new token", () => {
  test("is answered, without the new proof, and doesn't delete the new cookie", async () => {
    const app = await createTestApp();
    const ada = await app.signedIn();
    const late = copyOf(app, ada);
    await ada.post("/account/verify", { password: ada.password });
    const response = await late.get("/account");
    expect(response.status).toBe(200);
    expect(response.headers.getSetCookie().filter((line) => line.startsWith(cookie))).toEqual([]);
    expect((await late.get("/account/delete")).headers.get("location")).toContain("/account/verify");
    await app.services.db
      .updateTable("replaced_token")
      .set({ expires_at: Date.now() - 1 })
      .execute();
    expect((await late.get("/account")).status).toBe(302);
    expect(late.cookies.has(cookie)).toBe(false);
    expect((await ada.get("/account")).status).toBe(200);
  });

  test("by a new password is refused, and doesn't delete the new cookie", async () => {
    const app = await createTestApp();
    const ada = await app.signedIn();
    const late = copyOf(app, ada);
    const fields = { current: ada.password, password: "another long word", confirm: "another long word" };
    await ada.post("/account", { intent: "change-password", ...fields });
    expect((await late.get("/account")).status).toBe(302);
    expect(late.cookies.has(cookie)).toBe(true);
  });

  test("can still sign out", async () => {
    const app = await createTestApp();
    const ada = await app.signedIn();
    const late = copyOf(app, ada);
    await ada.post("/account/verify", { password: ada.password });
    await late.post("/auth/sign-out", {});
    expect((await ada.get("/account")).status).toBe(302);
  });

  test("finds no session once that has ended", async () => {
    const app = await createTestApp();
    const ada = await app.signedIn();
    const late = copyOf(app, ada);
    await ada.post("/account/verify", { password: ada.password });
    await ada.post("/auth/sign-out", {});
    expect((await late.get("/account")).status).toBe(302);
  });
});

/** Another client with the same cookies. */
function copyOf(app: TestApp, { cookies }: Pick<TestUser, "cookies">) {
  const copy = app.visitor();
  for (const [name, value] of cookies) copy.cookies.set(name, value);
  return copy;
}

async function findSessionId({ services }: TestApp, browser: string): Promise<string> {
  const rows: { id?: string; browser?: string | null }[] = (await services.db
    .selectFrom("session" as "setting")
    .selectAll()
    .execute()) as never;
  return rows.find((row) => row.browser === browser)?.id ?? "";
}

async function listEndings({ services }: TestApp): Promise<string[]> {
  const rows = await services.db
    .selectFrom("security_event")
    .select("detail")
    .where("event", "=", "session-ended")
    .execute();
  return rows.map(({ detail }) => detail);
}
