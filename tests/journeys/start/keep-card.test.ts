import { createHash } from "node:crypto";

import { expect, test } from "vitest";

import { fieldValue, makeCard } from "#tests/support/app/cards.ts";
import { userIdOf } from "#tests/support/app/profiles.ts";
import { firstLink, textWith, toastIn } from "#tests/support/app/responses.ts";
import { createSignedInApp, createTestApp } from "#tests/support/app/test-app.ts";
import type { TestApp } from "#tests/support/app/test-app.ts";
import type { Visitor } from "#tests/support/app/visitor.ts";

const demo = {
  name: "Ada Lovelace",
  title: "Mathematician",
  company: "Engines & Sons",
  accent: "violet",
  mode: "dark",
};
const account = { email: "ada@example.com", password: "tea with Charles" };
const signUp = { intent: "sign-up", ...account };
const empty = { title: "", company: "", email: "", phone: "", link: "", intent: "continue" };
const cookieName = "meishi.kept_card";

const read = async (user: Pick<Visitor, "get">, path: string) => (await user.get(path)).text();
const locationOf = (response: Response) => response.headers.get("location");
const cardIn = ({ db }: TestApp["services"]) => db.selectFrom("card").selectAll().executeTakeFirstOrThrow();
const draftsIn = ({ db }: TestApp["services"]) => db.selectFrom("sign_up_draft").selectAll().execute();

test("what was typed into the live demo is filled in after the sign-up, in the same browser", async () => {
  const { visitor, mails, services } = await createTestApp();
  const user = visitor();
  const kept = await user.post("/keep", demo);
  expect([kept.status, locationOf(kept)]).toEqual([303, "/auth?tab=signup"]);
  const cookie = kept.headers.getSetCookie()[0] ?? "";
  expect(cookie).toMatch(/^meishi\.kept_card=[\w.-]+; Path=\/; Max-Age=86400; SameSite=Lax; HttpOnly$/);
  await user.post("/auth?tab=signup", signUp);
  await user.post(firstLink((await mails())[0]?.text), {});

  const name = await read(user, "/start/name");
  expect([fieldValue(name, "displayName"), fieldValue(name, "handle")]).toEqual(["Ada Lovelace", "ada-lovelace"]);
  await user.post("/start/name", { displayName: demo.name, handle: "ada-lovelace", intent: "continue" });
  const contact = await read(user, "/start/contact");
  const texts = ["Mathematician", "Engines &amp; Sons"];
  expect([fieldValue(contact, "title"), fieldValue(contact, "company")]).toEqual(texts);
  await user.post("/start/contact", { ...empty, title: demo.title, company: demo.company });
  expect(await cardIn(services)).toMatchObject({ profession: "Mathematician", company: "Engines & Sons" });
  expect(user.cookies.has(cookieName)).toBe(false);
  expect(await draftsIn(services)).toEqual([]);
});

test("the design is kept with an unchanged name, and step 3 shows the card as visitors see it, also without script", async () => {
  const { ada: user, services } = await createSignedInApp();
  const form = await read(user, "/");
  const sample = Object.fromEntries(["name", "title", "company"].map((name) => [name, fieldValue(form, name)]));
  await user.post("/keep", { ...sample, accent: "violet", mode: "dark" });
  await user.post("/start/name", { displayName: "Ada", handle: "", intent: "finish" });
  const stored = await cardIn(services);
  expect(stored).toMatchObject({ accent: "violet", paper: "dark", profession: "", company: "" });

  const live = await user.get("/start/live");
  const page = await live.text();
  const shown = /<section class="card" data-theme="ink"/;
  expect(page).toMatch(shown);
  const rules = /<style>(.*?)<\/style>/.exec(page)?.[1] ?? "";
  expect(rules).toContain("--brand:#d8a7ff");
  const hash = createHash("sha256").update(rules).digest("base64");
  expect(live.headers.get("content-security-policy")).toContain(`'sha256-${hash}'`);
  const visited = await read(user, `/c/${stored.code}`);
  expect(visited).toMatch(shown);
  expect(visited).toContain(rules);
});

test("the sign-up says that the card is kept, to visitors who kept one", async () => {
  const { visitor } = await createTestApp();
  const shown = async (user: Visitor) => [
    (await read(user, "/auth?tab=signup")).includes("Your card is saved. You’ll find it here"),
    (await (await user.post("/auth?tab=signup", signUp)).text()).includes("Your card is saved and will be there"),
  ];
  const [user, other] = [visitor(), visitor()];
  await user.post("/keep", demo);
  expect([await shown(user), await shown(other)]).toEqual([
    [true, true],
    [false, false],
  ]);
});

test("a draft card prefills the steps in another browser, and is public only after the owner saved them", async () => {
  const { visitor, mails, services } = await createTestApp();
  const [laptop, phone] = [visitor(), visitor()];
  await laptop.post("/keep", demo);
  await laptop.post("/auth?tab=signup", signUp);
  await phone.post(firstLink((await mails())[0]?.text), { password: account.password });
  const name = await read(phone, "/start/name");
  expect(fieldValue(name, "displayName")).toBe("Ada Lovelace");
  expect(name).toContain("Also on your card: Mathematician, Engines &amp; Sons.");
  expect(fieldValue(await read(phone, "/start/contact"), "title")).toBe("Mathematician");
  const profile = await services.db.selectFrom("profile").selectAll().executeTakeFirstOrThrow();
  expect(profile.display_name).toBe("ada");
  expect(await services.db.selectFrom("card").selectAll().execute()).toEqual([]);

  // Signing in leads back to the steps while they hold a draft card.
  const signIn = async (path: string) => locationOf(await visitor().post(path, { intent: "log-in", ...account }));
  expect([await signIn("/auth"), await signIn("/auth?returnTo=/account")]).toEqual(["/start", "/account"]);
  await phone.post("/start/contact", { ...empty, title: "Countess" });
  const design = { accent: "violet", paper: "dark" };
  expect(await cardIn(services)).toMatchObject({ profession: "Countess", company: "", ...design });
  expect(await draftsIn(services)).toEqual([]);
  expect(await signIn("/auth")).toBe("/home");
});

test("skipping the second step publishes no text of the draft, and the step stays prefilled", async () => {
  const { ada: user, services } = await createSignedInApp();
  await user.post("/keep", demo);
  const skipped = await user.post("/start/contact", { ...empty, title: "Half-typed", intent: "skip" });
  expect(locationOf(skipped)).toBe("/start/live");
  expect(await cardIn(services)).toMatchObject({ profession: "", company: "", accent: "violet" });
  await user.get("/start");
  const [name, contact] = [await read(user, "/start/name"), await read(user, "/start/contact")];
  expect(name).not.toContain("Also on your card");
  expect([fieldValue(name, "displayName"), fieldValue(contact, "title")]).toEqual([demo.name, demo.title]);
  expect(contact).toMatch(/<a [^>]*href="\/start\/name"[^>]*>.*?Back<\/a>/);
  await user.post("/start/contact", { ...empty, title: demo.title });
  expect(await cardIn(services)).toMatchObject({ profession: demo.title, company: "" });
  expect(fieldValue(await read(user, "/start/contact"), "company")).toBe("");
});

test("the sample's own texts are not kept, long ones are cut, and the cookie stays small", async () => {
  const { visitor } = await createTestApp();
  const page = await read(visitor(), "/");
  const sample = Object.fromEntries(["name", "title", "company"].map((name) => [name, fieldValue(page, name)]));
  for (const form of [sample, { name: "名".repeat(500), title: "🙂".repeat(500), company: "é".repeat(500) }]) {
    const user = visitor();
    const cookie = (await user.post("/keep", form)).headers.getSetCookie()[0] ?? "";
    expect(cookie.length).toBeLessThan(1_024);
    const [payload = ""] = user.cookies.get(cookieName)?.split(".") ?? [];
    const { name } = JSON.parse(Buffer.from(payload, "base64url").toString());
    expect(name).toBe(form === sample ? "" : `${"名".repeat(49)}…`);
  }
});

test("nothing is kept from another site, and a cookie that isn't ours is ignored", async () => {
  const { signedIn, visitor } = await createTestApp();
  expect((await visitor().post("/keep", demo, { origin: "https://evil.example" })).status).toBe(403);
  const user = await signedIn();
  const payload = Buffer.from(JSON.stringify({ ...demo, name: "Mallory" })).toString("base64url");
  for (const value of [payload, `${payload}.${"x".repeat(43)}`, "%", "null.null"]) {
    user.cookies.set(cookieName, value);
    expect(await textWith(200, await user.get("/start/name"))).not.toContain("Mallory");
  }
});

test("the first step publishes the title and company only after it showed them, and helps with a name in another script", async () => {
  const { signedIn, services } = await createTestApp();
  const hint = "Choose a handle in Latin letters, or leave this empty.";
  for (const isSeen of [true, false]) {
    const user = await signedIn(`seen-${isSeen}@example.com`);
    await user.post("/keep", { ...demo, name: "李小龍" });
    expect(await read(user, "/start/name")).toContain(hint);
    expect(locationOf(await user.post("/keep", demo))).toBe("/start");
    const page = await read(user, "/start/name");
    expect(page).not.toContain(hint);
    expect(page).toContain("Also on your card: Mathematician, Engines &amp; Sons.");
    const form = { displayName: "Ada", handle: "", intent: "finish" };
    const saved = await user.post("/start/name", isSeen ? { ...form, draft: fieldValue(page, "draft") } : form);
    expect(locationOf(saved)).toBe("/start/live");
    expect(user.cookies.has(cookieName)).toBe(!isSeen);
    const id = await userIdOf(user);
    const card = await services.db.selectFrom("card").selectAll().where("owner_id", "=", id).executeTakeFirstOrThrow();
    const [profession, company] = isSeen ? ["Mathematician", "Engines & Sons"] : ["", ""];
    expect(card).toMatchObject({ profession, company, accent: "violet" });
  }
});

test("what was kept doesn't outlive the session, the account or the steps", async () => {
  const { ada: user, signedIn } = await createSignedInApp();
  await user.post("/keep", demo);
  await user.post("/auth/sign-out", {});
  expect(user.cookies.has(cookieName)).toBe(false);

  const other = await signedIn("eve@example.com");
  await other.post("/keep", demo);
  const kept = other.cookies.get(cookieName) ?? "";
  await makeCard(other);
  const refused = await other.post("/keep", demo);
  expect(locationOf(refused)).toBe("/home");
  expect(toastIn(refused)).toMatchObject({ title: "You already have a card" });
  for (const path of ["/start", "/start/contact"]) {
    other.cookies.set(cookieName, kept);
    expect(locationOf(await other.get(path))).toBe("/home");
    expect(other.cookies.has(cookieName)).toBe(false);
  }
  other.cookies.set(cookieName, kept);
  expect(await read(other, "/start/name")).not.toContain("Mathematician");
});
