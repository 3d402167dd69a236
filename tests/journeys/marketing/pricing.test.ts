import { afterEach, describe, expect, test } from "vitest";

import { plans } from "#app/features/billing/rules.ts";
import { readElements, toastIn, visibleText } from "#tests/support/app/responses.ts";
import { cardFields } from "#tests/support/app/cards.ts";
import { walletSettings } from "#tests/support/fixtures/wallet/demo-wallet.ts";
import { makePremium, profileForm, userIdOf } from "#tests/support/app/profiles.ts";
import { createSignedInApp, createTestApp } from "#tests/support/app/test-app.ts";
import type { Visitor } from "#tests/support/app/visitor.ts";

const checkout = "/pricing/checkout";
const monthly = { period: "monthly" };

describe("the plans", () => {
  test("list what each includes, what it costs, and what can't be bought yet", async () => {
    const { visitor } = await createTestApp();
    const html = await read(visitor(), "/pricing");
    const words = wordsOf(html);
    for (const text of [
      "$0",
      "$7.99",
      "$80",
      "Save ~17%",
      "2 months free on yearly",
      "Premium isn’t available yet",
      "1 business card",
      "Unlimited business cards",
      "3 of 6 themes",
      "All 6 themes",
      "Support Standard Priority",
      "Links on your profile 8 30",
      "Business cards 1 Unlimited",
      "Analytics Charts of visits and clicks – No Yes",
    ])
      expect(words).toContain(text);
    expect(words).not.toContain("Wallet passes");
    expect(html).not.toMatch(/checkout|buy now|subscribe/i);
    for (const plan of ["free", "premium"]) expect(html).toContain(`href="/signup?tier=${plan}"`);
    const elements = readElements(html);
    expect(elements.filter(({ tag, attributes }) => tag === "table" && attributes["role"] === "table")).toHaveLength(2);
    const headings = elements.filter(({ tag, attributes }) => tag === "th" && attributes["scope"] === "col");
    const names = ["Free", "Premium", "Meishi", "Paper cards", "Hosted services"];
    expect(headings.map(({ text }) => text)).toEqual(expect.arrayContaining(names));
  });

  test("include wallet passes where the operator has configured them", async () => {
    const { visitor } = await createTestApp({ env: walletSettings });
    expect(wordsOf(await read(visitor(), "/pricing"))).toContain("Wallet passes Yes Yes");
  });

  test("show the billing period of the query, monthly by default, and are cached for that period alone", async () => {
    const { visitor } = await createTestApp();
    for (const [query, period] of [
      ["?period=yearly", "yearly"],
      ["", "monthly"],
      ["?period=yearly", "yearly"],
      ["?utm=x", "monthly"],
      ["?period=weekly", "monthly"],
      ['?period="><script>alert(1)</script>', "monthly"],
      ["?period=%", "monthly"],
    ] as const) {
      const html = await read(visitor(), `/pricing${query}`);
      const checked = readElements(html).filter(({ attributes }) => "checked" in attributes);
      expect([query, checked[0]?.attributes["value"]]).toEqual([query, period]);
      expect(html).not.toContain("alert(1)");
    }
  });
});

describe("the page and the server use the same rules", () => {
  const { free } = plans;
  const before = { ...free };
  afterEach(() => void Object.assign(free, before));

  test("for the number of cards and the themes of a plan", async () => {
    Object.assign(free, { maxCards: 2, themes: ["default"] });
    const { visitor, signedIn } = await createTestApp();
    const words = wordsOf(await read(visitor(), "/pricing"));
    for (const text of ["2 business cards", "1 of 6 themes"]) expect(words).toContain(text);
    const person = await signedIn();
    for (const location of ["?tab=share", "?tab=share", "/profile"]) {
      const response = await person.post("/cards/edit", { ...cardFields, id: crypto.randomUUID() });
      expect(response.headers.get("location")).toContain(location);
    }
    await person.post("/profile", profileForm({ theme: "ocean" }));
    expect(await (await person.get("/profile")).text()).toMatch(
      /value="default"[^>]*checked|checked=""[^>]*value="default"/,
    );
  });

  test("for links: each plan promises as many as can be saved", () => {
    expect([plans.free.maxLinks, plans.premium.maxLinks]).toEqual([8, 30]);
  });
});

describe("the button of a paid plan", () => {
  test("sends a visitor to sign in, with a message, and back, keeps the billing period, and refuses others", async () => {
    const { visitor, signedIn } = await createTestApp();
    const { email, password } = await signedIn();
    const person = visitor();
    const asked = await person.post(checkout, monthly);
    expect(asked.headers.get("location")).toBe("/auth?redirect=/pricing");
    expect(toastIn(asked)).toEqual({ title: "Please log in to subscribe.", tone: "warning" });
    const login = await read(person, "/auth?redirect=/pricing");
    expect(login).toContain("Please log in to subscribe.");
    expect(login).toContain('data-tone="warning"');
    expect(login).toContain('href="/auth?tab=signup&amp;returnTo=%2Fpricing"');
    expect(await read(person, "/auth?redirect=/pricing")).not.toContain("Please log in to subscribe.");
    const back = await person.post("/auth?redirect=/pricing", { intent: "log-in", email, password });
    expect(back.headers.get("location")).toBe("/pricing");
    const yearly = await visitor().post(checkout, { period: "yearly" });
    expect(yearly.headers.get("location")).toBe("/auth?redirect=%2Fpricing%3Fperiod%3Dyearly");
    for (const period of ["", "weekly"]) expect((await visitor().post(checkout, { period })).status).toBe(400);
  });

  test("tells a user that it can't be bought yet, and a Premium user that they have it", async () => {
    const { ada: person, services } = await createSignedInApp();
    expect((await person.post(checkout, monthly)).headers.get("location")).toBe("/pricing");
    expect(await read(person, "/pricing")).toContain("Checkout failed: Premium isn’t available yet.");
    expect(await read(person, "/pricing")).not.toContain("Checkout failed");
    await makePremium(services, await userIdOf(person));
    expect(toastIn(await person.post(checkout, monthly))).toMatchObject({ title: "You’re already on Premium" });
  });
});

test("a signed-in user sees which plan is theirs while it lasts, on a page that is cached for no one else", async () => {
  let now = Date.UTC(2026, 10, 21);
  const { ada: person, services, visitor } = await createSignedInApp({ clock: () => now });
  const free = await read(person, "/pricing");
  expect(wordsOf(free)).toMatch(/Free Your plan.*Premium Pro/);
  expect(free).not.toContain("/signup");
  for (const path of ["/profile", "/contact"]) expect(free).toContain(`href="${path}"`);
  expect(await read(visitor(), "/pricing")).not.toContain("Your plan");

  await makePremium(services, await userIdOf(person), now + 1000);
  const premium = await read(person, "/pricing");
  expect(wordsOf(premium)).toMatch(/Premium Pro Your plan/);
  expect(premium).toContain('href="/account"');
  expect(premium).not.toContain("/signup");
  now += 1000;
  expect(wordsOf(await read(person, "/pricing"))).toMatch(/Free Your plan/);
});

describe("after the checkout", () => {
  test("/success requires a sign-in and shows the plan in force", async () => {
    const { visitor, signedIn, services } = await createTestApp();
    expect((await visitor().get("/success")).headers.get("location")).toBe("/auth?returnTo=%2Fsuccess");
    const person = await signedIn();
    const free = await read(person, "/success");
    expect(free).toContain("Your plan is still Free");
    expect(free).not.toContain("re Pro now!");
    for (const path of ["/success", "/pricing", "/contact"]) expect(free).toContain(`href="${path}"`);
    await makePremium(services, await userIdOf(person));
    const premium = await read(person, "/success");
    expect(premium).toContain("You&#x27;re Pro now!</h1>");
    expect(premium).toMatch(/<a [^>]*href="\/home"[^>]*>Go to dashboard/);
    expect(premium).toMatch(/<a [^>]*href="\/pricing"[^>]*>Manage Plan/);
  });

  test("/cancel tells anyone that the card remains free", async () => {
    const html = await read((await createTestApp()).visitor(), "/cancel");
    expect(html).toContain("Your card remains free");
    expect(html).toMatch(/<main[^>]*>.*href="\/pricing".*href="\/"/s);
  });
});

async function read(person: Pick<Visitor, "get">, path: string): Promise<string> {
  const response = await person.get(path);
  expect(response.status).toBe(200);
  return response.text();
}

/** The visible text of the main part, with single spaces. */
function wordsOf(html: string): string {
  return visibleText(/<main.*<\/main>/s.exec(html)?.[0] ?? "").replaceAll("&#x27;", "'");
}
