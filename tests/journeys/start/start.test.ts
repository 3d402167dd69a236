import { describe, expect, test } from "vitest";

import { uploadLimit } from "#app/features/uploads/rules.ts";
import { cardFields, fieldValue, makeCard } from "#tests/support/app/cards.ts";
import { profileForm, userIdOf } from "#tests/support/app/profiles.ts";
import { visibleText } from "#tests/support/app/responses.ts";
import { createSignedInApp, createTestApp } from "#tests/support/app/test-app.ts";
import type { TestApp } from "#tests/support/app/test-app.ts";
import { useUp } from "#tests/support/database/attempts.ts";

const ada = { displayName: "Ada Lovelace", handle: "", suggestion: "", seed: "", intent: "continue" };
const contact = {
  title: "Mathematician",
  company: "Analytical Engines",
  email: "ada@engines.example",
  phone: "+44 20 7946 0000",
  link: "github.com/ada",
  intent: "continue",
};

describe("the three steps", () => {
  test("make a profile and a card, each saved at once, and go on where they were left", async () => {
    const { ada: user, services } = await createSignedInApp();
    expect(await nextOf(user)).toBe("/start/name");
    expect((await user.post("/start/name", ada)).headers.get("location")).toBe("/start/contact");
    expect(await storedOf(services)).toMatchObject({ names: ["Ada Lovelace"], handles: ["ada-lovelace"], cards: [] });
    expect(await nextOf(user)).toBe("/start/contact");

    const form = await (await user.get("/start/contact")).text();
    expect(fieldValue(form, "email")).toBe("ada@example.com");
    expect((await user.post("/start/contact", contact)).headers.get("location")).toBe("/start/live");
    const { cards, links } = await storedOf(services);
    const { title: profession, company, email, phone } = contact;
    const card = { card_name: "Ada Lovelace Business Card", profession, company, email, phone, is_public: 1 };
    expect(cards).toMatchObject([card]);
    const link = { label: "GitHub", url: "https://github.com/ada" };
    expect(links).toMatchObject([[link]]);
    expect(JSON.parse(cards[0]?.professional_links ?? "")).toMatchObject([{ name: link.label, url: link.url }]);

    const live = await (await user.get("/start/live")).text();
    for (const text of [
      "Your card is live",
      "Mathematician",
      "Open card",
      "Share",
      "Save to my contacts",
      "Copy link",
      "QR code for",
    ])
      expect(live).toContain(text);
    expect(await nextOf(user)).toBe("/home");

    // Sent again, the steps change the same profile and card.
    await user.post("/start/name", { ...ada, displayName: "Ada King", handle: "ada-lovelace" });
    expect(fieldValue(await (await user.get("/start/contact")).text(), "link")).toBe(link.url);
    await user.post("/start/contact", { ...contact, company: "", link: "https://gitlab.com/ada" });
    expect(await storedOf(services)).toMatchObject({
      names: ["Ada King"],
      handles: ["ada-lovelace"],
      cards: [{ company: "", profession: "Mathematician" }],
      links: [[{ label: "GitLab", url: "https://gitlab.com/ada" }]],
    });
    await user.post("/start/contact", { ...contact, link: "" });
    expect((await storedOf(services)).links).toEqual([[]]);
  });

  test("are as few as a name, which leads to the card at once", async () => {
    const { ada: user, services, visitor } = await createSignedInApp();
    const saved = await user.post("/start/name", { ...ada, intent: "finish" });
    expect(saved.headers.get("location")).toBe("/start/live");
    const live = await (await user.get("/start/live")).text();
    const path = new URL(/href="(http[^"]+\/c\/[^"]+)"/.exec(live)?.[1] ?? "").pathname;
    const card = await (await visitor().get(path)).text();
    expect(card).toContain("Ada Lovelace");
    // Nothing that the owner didn't choose to publish.
    expect(card).not.toContain("ada@example.com");
    expect((await storedOf(services)).cards).toHaveLength(1);
  });

  test("can all be skipped", async () => {
    const { ada: user, services } = await createSignedInApp();
    expect(await (await user.get("/start/name")).text()).toContain('href="/start/contact"');
    const skipped = await user.post("/start/contact", { ...contact, intent: "skip" });
    expect(skipped.headers.get("location")).toBe("/start/live");
    const { cards } = await storedOf(services);
    expect(cards).toMatchObject([{ card_name: "ada Business Card", email: "", phone: "", profession: "" }]);
    expect(await (await user.get("/start/live")).text()).toContain("Add your name");
  });

  test("make one card from twenty concurrent requests", async () => {
    const { ada: user, services } = await createSignedInApp();
    await user.post("/start/name", ada);
    const sent = Array.from({ length: 20 }, (_, index) =>
      index % 2
        ? user.post("/start/contact", contact)
        : user.post("/start/name", { ...ada, handle: "ada-lovelace", intent: "finish" }),
    );
    for (const { status } of await Promise.all(sent)) expect([302, 409]).toContain(status);
    expect((await storedOf(services)).cards).toHaveLength(1);
  });

  test("need an account, and lead home once there is another card", async () => {
    const { signedIn, services, visitor } = await createTestApp();
    for (const path of ["/start", "/start/name", "/start/contact", "/start/live"])
      expect((await visitor().get(path)).headers.get("location")).toBe(`/auth?returnTo=${encodeURIComponent(path)}`);
    const user = await signedIn();
    await makeCard(user);
    for (const path of ["/start", "/start/contact"])
      expect((await user.get(path)).headers.get("location")).toBe("/home");
    expect((await user.post("/start/contact", contact)).headers.get("location")).toBe("/home");
    await user.post("/start/name", { ...ada, intent: "finish" });
    const { card_name, company } = cardFields;
    expect((await storedOf(services)).cards).toMatchObject([{ card_name, company }]);
  });
});

describe("a step that is refused", () => {
  test("says why beside the field, and keeps everything typed", async () => {
    const { ada: user, services } = await createSignedInApp();
    await user.get("/start/name");
    const cases: [Record<string, string>, string][] = [
      [{ displayName: " " }, "Enter your name."],
      [{ displayName: "x".repeat(51) }, "Use at most 50 characters for the name."],
      [{ handle: "a" }, "Use at least 3 characters."],
      [{ handle: "admin" }, "This handle is reserved. Choose another."],
    ];
    for (const [fields, reason] of cases) {
      const form = { ...ada, suggestion: "ada-lovelace", seed: "4f2a9c01", seeds: "4f2a9c01,8b1d77aa", ...fields };
      const response = await user.post("/start/name", form);
      const page = await response.text();
      expect([response.status, reason]).toEqual([422, reason]);
      expect(page).toContain(reason);
      expect(fieldValue(page, "displayName")).toBe(form.displayName);
      expect(fieldValue(page, "handle")).toBe(form.handle);
      expect(page).toMatch(/<input[^>]*checked=""[^>]*value="4f2a9c01"/);
    }
    const wrong = { ...contact, email: "ada at engines", link: "javascript:alert(1)" };
    const page = await (await user.post("/start/contact", wrong)).text();
    for (const text of ["Invalid email", "Invalid URL"]) expect(page).toContain(text);
    for (const name of ["title", "company", "email", "phone", "link"] as const)
      expect(fieldValue(page, name)).toBe(wrong[name]);
    expect(await storedOf(services)).toMatchObject({ names: ["ada"], cards: [] });
  });

  test("offers a free handle instead of one that is taken or reserved", async () => {
    const { signedIn } = await createTestApp();
    const first = await signedIn("first@example.com");
    await first.post("/start/name", { ...ada, handle: "countess" });
    const user = await signedIn();
    const refuse = async (fields: Record<string, string>) =>
      visibleText(await (await user.post("/start/name", { ...ada, ...fields })).text());
    expect(await refuse({ handle: "admin" })).toContain(" ada-lovelace is available.");
    expect(await refuse({ handle: "Countess", displayName: "伯爵" })).toContain(" countess-2 is available.");
    expect(await refuse({ handle: "a" })).not.toContain("is available.");
  });

  test("offers other avatars without script, and keeps the name", async () => {
    const { ada: user } = await createSignedInApp();
    const seeds = "4f2a9c01,8b1d77aa,00000000,11111111";
    const page = await (await user.post("/start/name", { ...ada, seeds, intent: "randomize" })).text();
    expect(fieldValue(page, "displayName")).toBe("Ada Lovelace");
    expect(fieldValue(page, "seeds")).toMatch(/^[0-9a-f]{8}(,[0-9a-f]{8}){3}$/);
    expect(fieldValue(page, "seeds")).not.toBe(seeds);
  });
});

test("the handle is made from the name, with a number when it is taken, and only when the owner left it so", async () => {
  const { signedIn, services } = await createTestApp();
  const first = await signedIn("first@example.com");
  await first.get("/profile");
  await first.post("/profile", profileForm({ handle: "ada-lovelace" }));
  const second = await signedIn("second@example.com");
  await second.post("/start/name", { ...ada, handle: "ada-lovelace", suggestion: "ada-lovelace" });
  const third = await signedIn("third@example.com");
  expect((await third.post("/start/name", { ...ada, handle: "ada-lovelace" })).status).toBe(422);
  await third.post("/start/name", { ...ada, handle: "", suggestion: "ada-lovelace" });
  expect((await storedOf(services)).handles).toEqual(["ada-lovelace", "ada-lovelace-2"]);
});

async function nextOf(user: ReturnType<TestApp["visitor"]>) {
  return (await user.get("/start")).headers.get("location");
}

async function storedOf({ db }: TestApp["services"]) {
  const profiles = await db.selectFrom("profile").selectAll().orderBy("created_at").execute();
  const handles = await db.selectFrom("handle").selectAll().orderBy("handle").execute();
  return {
    names: profiles.map(({ display_name }) => display_name),
    links: profiles.map(({ links }): unknown => JSON.parse(links)),
    handles: handles.map(({ handle }) => handle),
    cards: await db.selectFrom("card").selectAll().execute(),
  };
}

test("the second step refuses a link that can't be saved, even when the card has no room for it", async () => {
  const { ada: user, services } = await createSignedInApp();
  await user.post("/start/contact", { ...contact, link: "" });
  const full = Array.from({ length: 8 }, (_, n) => ({
    id: `link-${n}`,
    name: "Link",
    url: `https://ada.example/${n}`,
  }));
  const change = { professional_links: JSON.stringify(full) };
  await services.db.updateTable("card").set(change).execute();
  const linksOf = async () =>
    JSON.parse((await services.db.selectFrom("profile").select("links").executeTakeFirstOrThrow()).links) as unknown;
  for (const link of ["javascript:alert(1)", "data:text/html,hello", `https://ada.example/${"x".repeat(90_000)}`]) {
    const response = await user.post("/start/contact", { ...contact, link });
    const page = await response.text();
    expect([response.status, fieldValue(page, "link")]).toEqual([422, link]);
    expect(page).toContain("Invalid URL");
    expect(await linksOf()).toEqual([]);
  }
  expect((await user.post("/start/contact", contact)).status).toBe(302);
  expect(await linksOf()).toMatchObject([{ label: "GitHub", url: "https://github.com/ada" }]);
});

test("a drawn avatar becomes the avatar and counts as an upload; over the limit the name is saved without it", async () => {
  const { ada: user, services } = await createSignedInApp();
  await useUp(services, { limit: uploadLimit, subject: await userIdOf(user) }, { left: 1 });
  expect((await user.post("/start/name", { ...ada, seed: "4f2a9c01" })).status).toBe(302);

  const form = { ...ada, displayName: "Ada King", seed: "8b1d77aa", seeds: "4f2a9c01,8b1d77aa" };
  const limited = await user.post("/start/name", form);
  const page = await limited.text();
  expect(limited.status).toBe(429);
  expect(page).toContain("Your name is saved, but the avatar isn’t. Try again in ten minutes.");
  expect(fieldValue(page, "displayName")).toBe("Ada King");
  const saved = await services.db.selectFrom("profile").selectAll().executeTakeFirstOrThrow();
  expect(saved.display_name).toBe("Ada King");
  expect(saved.avatar_key_prefix).toMatch(/^avatars\//);
  expect(JSON.parse(saved.avatar_options ?? "")).toMatchObject({ seed: "4f2a9c01" });
  expect((await user.post("/start/name", { ...form, seed: "" })).status).toBe(302);
});
