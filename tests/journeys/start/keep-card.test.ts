import { createHash } from "node:crypto";

import { expect, test } from "vitest";

import { fieldValue, makeCard } from "#tests/support/app/cards.ts";
import { userIdOf } from "#tests/support/app/profiles.ts";
import { firstLink, toastIn } from "#tests/support/app/responses.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";

const demo = {
  name: "Ada Lovelace",
  title: "Mathematician",
  company: "Engines & Sons",
  accent: "violet",
  mode: "dark",
};
const password = "tea with Charles";
const empty = { title: "", company: "", email: "", phone: "", link: "", intent: "continue" };

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
  await user.post("/start/contact", { ...empty, title: demo.title, company: demo.company });
  const card = await services.db.selectFrom("card").selectAll().executeTakeFirstOrThrow();
  expect(card).toMatchObject({ profession: "Mathematician", company: "Engines & Sons" });
  expect(user.cookies.has("meishi.kept_card")).toBe(false);
  expect(await services.db.selectFrom("sign_up_draft").selectAll().execute()).toEqual([]);
});

test("the design is kept with an unchanged name, and step 3 shows the card as visitors see it, also without script", async () => {
  const { signedIn, services } = await createTestApp();
  const user = await signedIn();
  const form = await (await user.get("/")).text();
  const sample = Object.fromEntries(["name", "title", "company"].map((name) => [name, fieldValue(form, name)]));
  await user.post("/keep", { ...sample, accent: "violet", mode: "dark" });
  await user.post("/start/name", { displayName: "Ada", handle: "", intent: "finish" });
  const stored = await services.db.selectFrom("card").selectAll().executeTakeFirstOrThrow();
  expect(stored).toMatchObject({ accent: "violet", paper: "dark", profession: "", company: "" });

  const live = await user.get("/start/live");
  const page = await live.text();
  const shown = /<section class="card" data-theme="ink"/;
  expect(page).toMatch(shown);
  const rules = /<style>(.*?)<\/style>/.exec(page)?.[1] ?? "";
  expect(rules).toContain("--brand:#d8a7ff");
  const hash = createHash("sha256").update(rules).digest("base64");
  expect(live.headers.get("content-security-policy")).toContain(`'sha256-${hash}'`);
  const visited = await (await user.get(`/c/${stored.code}`)).text();
  expect(visited).toMatch(shown);
  expect(visited).toContain(rules);
});

test("the sign-up says that the card is kept, to visitors who kept one", async () => {
  const { visitor } = await createTestApp();
  const user = visitor();
  const signUp = { intent: "sign-up", email: "ada@example.com", password };
  const sentences = ["Your card is saved. You&#x27;ll find it here", "Your card is saved and will be there"];
  for (const sentence of sentences) {
    const other = visitor();
    expect(await (await other.get("/auth?tab=signup")).text()).not.toContain(sentence);
    expect(await (await other.post("/auth?tab=signup", signUp)).text()).not.toContain(sentence);
  }
  await user.post("/keep", demo);
  expect(await (await user.get("/auth?tab=signup")).text()).toContain(sentences[0]);
  expect(await (await user.post("/auth?tab=signup", signUp)).text()).toContain(sentences[1]);
});

test("a kept card prefills the steps in another browser, and is public only after the owner saved them", async () => {
  const { visitor, mails, services } = await createTestApp();
  const [laptop, phone] = [visitor(), visitor()];
  await laptop.post("/keep", demo);
  await laptop.post("/auth?tab=signup", { intent: "sign-up", email: "ada@example.com", password });
  await phone.post(firstLink((await mails())[0]?.text), { password });
  const name = await (await phone.get("/start/name")).text();
  expect(fieldValue(name, "displayName")).toBe("Ada Lovelace");
  expect(name).toContain("Also on your card: Mathematician, Engines &amp; Sons.");
  expect(fieldValue(await (await phone.get("/start/contact")).text(), "title")).toBe("Mathematician");
  const profile = await services.db.selectFrom("profile").selectAll().executeTakeFirstOrThrow();
  expect(profile.display_name).toBe("ada");
  expect(await services.db.selectFrom("card").selectAll().execute()).toEqual([]);

  await phone.post("/start/contact", { ...empty, title: "Countess" });
  const card = await services.db.selectFrom("card").selectAll().executeTakeFirstOrThrow();
  expect(card).toMatchObject({ profession: "Countess", company: "", accent: "violet", paper: "dark" });
  expect(await services.db.selectFrom("sign_up_draft").selectAll().execute()).toEqual([]);
});

test("signing in leads back to the steps while they hold a kept card", async () => {
  const { visitor, mails } = await createTestApp();
  const user = visitor();
  const account = { email: "ada@example.com", password };
  await user.post("/keep", demo);
  await user.post("/auth?tab=signup", { intent: "sign-up", ...account });
  await user.post(firstLink((await mails())[0]?.text), {});
  await user.post("/auth/sign-out", {});
  const signIn = async (path: string) => (await visitor().post(path, { intent: "log-in", ...account })).headers;
  expect((await signIn("/auth")).get("location")).toBe("/start");
  expect((await signIn("/auth?returnTo=/account")).get("location")).toBe("/account");

  const back = visitor();
  await back.post("/auth", { intent: "log-in", ...account });
  expect(fieldValue(await (await back.get("/start/name")).text(), "displayName")).toBe("Ada Lovelace");
  await back.post("/start/name", { displayName: demo.name, handle: "", intent: "continue" });
  const contact = await (await back.get("/start/contact")).text();
  expect(contact).toMatch(/<a [^>]*href="\/start\/name"[^>]*>.*?Back<\/a>/);
  await back.post("/start/contact", { ...empty, title: demo.title, company: demo.company });
  expect((await signIn("/auth")).get("location")).toBe("/profile");
});

test("a name in another script gets a hint for its handle", async () => {
  const { signedIn } = await createTestApp();
  const user = await signedIn();
  const hint = "Choose a handle in Latin letters, or leave this empty.";
  await user.post("/keep", { ...demo, name: "李小龍" });
  expect(await (await user.get("/start/name")).text()).toContain(hint);
  await user.post("/keep", demo);
  expect(await (await user.get("/start/name")).text()).not.toContain(hint);
});

test("skipping the second step publishes no kept text, and the step stays prefilled", async () => {
  const { signedIn, services } = await createTestApp();
  const user = await signedIn();
  await user.post("/keep", demo);
  const skipped = await user.post("/start/contact", { ...empty, title: "Half-typed", intent: "skip" });
  expect(skipped.headers.get("location")).toBe("/start/live");
  const stored = () => services.db.selectFrom("card").selectAll().executeTakeFirstOrThrow();
  expect(await stored()).toMatchObject({ profession: "", company: "", accent: "violet" });
  await user.get("/start");
  const [name, contact] = await Promise.all(
    ["/start/name", "/start/contact"].map(async (path) => (await user.get(path)).text()),
  );
  expect(name).not.toContain("Also on your card");
  expect([fieldValue(name ?? "", "displayName"), fieldValue(contact ?? "", "title")]).toEqual([demo.name, demo.title]);
  await user.post("/start/contact", { ...empty, title: demo.title });
  expect(await stored()).toMatchObject({ profession: demo.title, company: "" });
  expect(fieldValue(await (await user.get("/start/contact")).text(), "company")).toBe("");
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
    expect(user.cookies.has("meishi.kept_card")).toBe(!isSeen);
    const id = await userIdOf(user);
    const card = await services.db.selectFrom("card").selectAll().where("owner_id", "=", id).executeTakeFirstOrThrow();
    expect([card.profession, card.company, card.accent]).toEqual([
      ...(isSeen ? ["Mathematician", "Engines & Sons"] : ["", ""]),
      "violet",
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
  await other.post("/keep", demo);
  const kept = other.cookies.get("meishi.kept_card") ?? "";
  await makeCard(other);
  const refused = await other.post("/keep", demo);
  expect(refused.headers.get("location")).toBe("/profile");
  expect(toastIn(refused)).toMatchObject({ title: "You already have a card" });
  for (const path of ["/start", "/start/contact"]) {
    other.cookies.set("meishi.kept_card", kept);
    expect((await other.get(path)).headers.get("location")).toBe("/profile");
    expect(hasKept(other)).toBe(false);
  }
  other.cookies.set("meishi.kept_card", kept);
  expect(await (await other.get("/start/name")).text()).not.toContain("Mathematician");
});
