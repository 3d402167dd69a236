import { expect, test } from "vitest";

import { fieldValue, makeCard } from "#tests/support/app/cards.ts";
import { userIdOf } from "#tests/support/app/profiles.ts";
import { firstLink } from "#tests/support/app/responses.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";

const demo = { name: "Ada Lovelace", title: "Mathematician", company: "Engines & Sons", accent: "blue" };
const password = "tea with Charles";

test("what was typed into the live demo is filled in after the sign-up, in the same browser", async () => {
  const { visitor, mails, services } = await createTestApp();
  const user = visitor();
  const kept = await user.post("/keep", demo);
  expect([kept.status, kept.headers.get("location")]).toEqual([303, "/auth?tab=signup"]);
  const cookie = kept.headers.getSetCookie()[0] ?? "";
  expect(cookie).toMatch(/^meishi\.kept_card=[\w.-]+; Path=\/; Max-Age=86400; SameSite=Lax; HttpOnly$/);
  await user.post("/auth?tab=signup", { intent: "sign-up", email: "ada@example.com", password });
  await user.post(firstLink((await mails())[0]?.text), {});

  const name = await (await user.get("/start/name")).text();
  expect([fieldValue(name, "displayName"), fieldValue(name, "handle")]).toEqual(["Ada Lovelace", "ada-lovelace"]);
  await user.post("/start/name", { displayName: demo.name, handle: "ada-lovelace", intent: "continue" });
  const contact = await (await user.get("/start/contact")).text();
  expect([fieldValue(contact, "title"), fieldValue(contact, "company")]).toEqual([
    "Mathematician",
    "Engines &amp; Sons",
  ]);
  await user.post("/start/contact", { title: "", company: "", email: "", phone: "", link: "", intent: "skip" });
  const card = await services.db.selectFrom("card").selectAll().executeTakeFirstOrThrow();
  expect(card).toMatchObject({ profession: "Mathematician", company: "Engines & Sons", accent: "blue" });
  expect(user.cookies.has("meishi.kept_card")).toBe(false);
});

test("the sample's own texts are not kept, long ones are cut, and the cookie stays small", async () => {
  const { visitor } = await createTestApp();
  const page = await (await visitor().get("/")).text();
  const sample = Object.fromEntries(["name", "title", "company"].map((name) => [name, fieldValue(page, name)]));
  for (const form of [sample, { name: "名".repeat(500), title: "🙂".repeat(500), company: "é".repeat(500) }]) {
    const user = visitor();
    const cookie = (await user.post("/keep", form)).headers.getSetCookie()[0] ?? "";
    expect(cookie.length).toBeLessThan(1_024);
    const [payload = ""] = user.cookies.get("meishi.kept_card")?.split(".") ?? [];
    const { name } = JSON.parse(Buffer.from(payload, "base64url").toString());
    expect(name).toBe(form === sample ? "" : `${"名".repeat(49)}…`);
  }
});

test("a cookie that isn't ours is ignored", async () => {
  const { signedIn } = await createTestApp();
  const user = await signedIn();
  const payload = Buffer.from(JSON.stringify({ ...demo, name: "Mallory" })).toString("base64url");
  for (const value of [payload, `${payload}.`, `${payload}.${"x".repeat(43)}`, "%", "null.null"]) {
    user.cookies.set("meishi.kept_card", value);
    const page = await user.get("/start/name");
    expect(page.status).toBe(200);
    expect(await page.text()).not.toContain("Mallory");
  }
});

test("a signed-in user goes on with the steps, and nothing is kept from another site", async () => {
  const { signedIn, visitor } = await createTestApp();
  const user = await signedIn();
  expect((await user.post("/keep", demo)).headers.get("location")).toBe("/start");
  expect(fieldValue(await (await user.get("/start/name")).text(), "displayName")).toBe("Ada Lovelace");
  expect((await visitor().post("/keep", demo, { origin: "https://evil.example" })).status).toBe(403);
});

test("the first step publishes the title and company only after it showed them", async () => {
  const { signedIn, services } = await createTestApp();
  for (const [email, isSeen] of [
    ["ada@example.com", true],
    ["eve@example.com", false],
  ] as const) {
    const user = await signedIn(email);
    await user.post("/keep", demo);
    const page = await (await user.get("/start/name")).text();
    expect(page).toContain("Also on your card: Mathematician, Engines &amp; Sons.");
    const form = { displayName: email, handle: "", intent: "finish" };
    const saved = await user.post("/start/name", isSeen ? { ...form, kept: fieldValue(page, "kept") } : form);
    expect(saved.headers.get("location")).toBe("/start/live");
    expect(user.cookies.has("meishi.kept_card")).toBe(false);
    const id = await userIdOf(user);
    const card = await services.db.selectFrom("card").selectAll().where("owner_id", "=", id).executeTakeFirstOrThrow();
    expect([card.profession, card.company, card.accent]).toEqual([
      ...(isSeen ? ["Mathematician", "Engines & Sons"] : ["", ""]),
      "blue",
    ]);
  }
});

test("what was kept doesn't outlive the session, the account or the steps", async () => {
  const { signedIn } = await createTestApp();
  const hasKept = (user: Awaited<ReturnType<typeof signedIn>>) => user.cookies.has("meishi.kept_card");
  const user = await signedIn();
  await user.post("/keep", demo);
  await user.post("/auth/sign-out", {});
  expect(hasKept(user)).toBe(false);

  const other = await signedIn("eve@example.com");
  await makeCard(other);
  for (const path of ["/start", "/start/contact"]) {
    await other.post("/keep", demo);
    expect((await other.get(path)).headers.get("location")).toBe("/profile");
    expect(hasKept(other)).toBe(false);
  }
  await other.post("/keep", demo);
  expect(await (await other.get("/start/name")).text()).not.toContain("Mathematician");
});
