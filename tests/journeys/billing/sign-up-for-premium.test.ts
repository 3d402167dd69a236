import { expect, test } from "vitest";

import { firstLink, toastIn, visibleText } from "#tests/support/app/responses.ts";
import type { Visitor } from "#tests/support/app/visitor.ts";
import { createStripeApp, pressPremium } from "#tests/support/providers/stripe/stripe-app.ts";

const ada = { email: "ada@example.com", password: "tea with Charles" };
const yearly = "/pricing/subscribe?period=yearly";

/** The button of Premium on a page: opens the checkout, or another page. */
const locationOf = async (person: Visitor, path: string) => (await person.get(path)).headers.get("location");

async function withSignUp(query: string, env: Record<string, string> = {}) {
  const product = await createStripeApp(env);
  const browser = product.visitor();
  const path = (await locationOf(browser, `/signup?${query}`)) ?? "";
  const page = await (await browser.get(path)).text();
  await browser.post(path, { intent: "sign-up", ...ada });
  const confirm = async (person: Visitor, form: Record<string, string>) =>
    (await person.post(firstLink((await product.mails())[0]?.text), form)).headers.get("location");
  return { ...product, browser, path, page, confirm };
}

test("signing up for Premium carries on to the checkout of the chosen period, with the confirmation in another browser", async () => {
  const { visitor, stripe, page, confirm } = await withSignUp("tier=premium&period=yearly");
  expect(page).toContain("You chose Premium. You&#x27;ll pay after you confirm your email.");
  const phone = visitor();
  const next = await confirm(phone, { password: ada.password });
  expect(next).toBe(yearly);
  const summary = await (await phone.get(yearly)).text();
  expect(summary).toMatch(/<input(?=[^>]*checked="")[^>]*value="yearly"/);
  expect(summary).toMatch(/<form(?=[^>]*method="post")[^>]*action="\/pricing\/checkout"/);
  expect(stripe.state.sessions.size).toBe(0);

  const checkout = await pressPremium(phone, "yearly");
  expect([...stripe.state.sessions.values()].map(({ price }) => price)).toEqual(["price_yearly"]);
  const back = new URL(stripe.pay(checkout ?? ""));
  const success = await (await phone.get(back.pathname + back.search)).text();
  expect(success).toContain("You&#x27;re Pro now!");
  // The first steps weren't done yet.
  expect(success).toMatch(/href="\/start"[^>]*>\s*Set up your card/);
  expect(await locationOf(phone, "/start")).toBe("/start/name");
  // Once: the page leads a subscriber away, and the next sign-in to the first steps or the profile.
  const again = await phone.get(yearly);
  expect(again.headers.get("location")).toBe("/pricing");
  expect(toastIn(again)).toMatchObject({ title: "You're already on Premium" });
  const later = await visitor().post("/auth", { intent: "log-in", ...ada });
  expect(later.headers.get("location")).toBe("/profile");
});

test("every way in leads there: the Login tab, an email code and a provider", async () => {
  const { visitor, mails, browser, page, confirm } = await withSignUp("tier=premium");
  expect(page).toContain('href="/auth?tier=premium"');
  expect(await confirm(browser, {})).toBe("/pricing/subscribe");
  const login = await visitor().post("/auth?tier=premium", { intent: "log-in", ...ada });
  expect(login.headers.get("location")).toBe("/pricing/subscribe");
  expect(await locationOf(browser, "/signup?tier=premium&period=yearly")).toBe(yearly);
  expect(await locationOf(browser, "/auth?tier=premium")).toBe("/pricing/subscribe");
  const other = visitor();
  await other.post("/auth?tier=premium&period=yearly", { intent: "email-sign-in", email: ada.email });
  const code = /^(\d{6})$/m.exec((await mails())[0]?.text ?? "")?.[1] ?? "";
  expect((await other.post("/auth/code", { intent: "code", code })).headers.get("location")).toBe(yearly);
  const google = { GOOGLE_CLIENT_ID: "id", GOOGLE_CLIENT_SECRET: "secret" };
  const withGoogle = await withSignUp("tier=premium&period=yearly", google);
  expect(withGoogle.page).toContain('action="/auth/with/google?returnTo=%2Fpricing%2Fsubscribe%3Fperiod%3Dyearly"');
});

test("a canceled checkout leads to the plans, and to the first steps on Free", async () => {
  const { browser, confirm } = await withSignUp("tier=premium");
  expect(await confirm(browser, {})).toBe("/pricing/subscribe");
  expect(await (await browser.get("/pricing/subscribe")).text()).toContain('href="/start"');
  await pressPremium(browser);
  const canceled = await (await browser.get("/cancel")).text();
  for (const path of ["/pricing", "/start", "/"]) expect(canceled).toContain(`href="${path}"`);
  expect(await locationOf(browser, "/start")).toBe("/start/name");
});

test("a path in the sign-up link wins over the plan, and only a path on this site counts", async () => {
  const { browser, confirm } = await withSignUp("tier=premium&returnTo=/share/profile");
  expect(await confirm(browser, {})).toBe("/share/profile");
  const foreign = await withSignUp("tier=premium&returnTo=//evil.example&period=x");
  expect(foreign.path).toBe("/auth?tab=signup&tier=premium");
  expect(await foreign.confirm(foreign.browser, {})).toBe("/pricing/subscribe");
});

test("opening a page buys nothing, whoever leads a browser there", async () => {
  const { visitor, signedIn, stripe } = await createStripeApp();
  const owner = await signedIn();
  stripe.requests.length = 0;
  expect((await owner.get("/pricing/subscribe")).status).toBe(200);
  expect(await locationOf(owner, "/pricing/checkout?period=monthly")).toBe("/pricing");
  const foreign = await owner.post("/pricing/checkout", { period: "monthly" }, { origin: "https://evil.example" });
  expect(foreign.status).toBe(403);
  expect(stripe.requests).toEqual([]);
  expect(await locationOf(visitor(), yearly)).toBe(`/auth?returnTo=${encodeURIComponent(yearly)}`);
});

test("without Stripe, and where everyone has Premium, the plan is ignored and nothing is a dead end", async () => {
  const none = { STRIPE_SECRET_KEY: "", STRIPE_WEBHOOK_SECRET: "", STRIPE_PRICE_MONTHLY: "", STRIPE_PRICE_YEARLY: "" };
  const unsold = await withSignUp("tier=premium", none);
  expect(unsold.page).toContain("It isn&#x27;t available yet, so your account starts on Free.");
  expect(await unsold.confirm(unsold.browser, {})).toBe("/start");
  expect(await locationOf(unsold.browser, yearly)).toBe("/start");
  const team = await withSignUp("tier=premium", { ...none, PLAN_FOR_EVERYONE: "premium" });
  expect(team.path).toBe("/auth?tab=signup");
  expect(await team.confirm(team.browser, {})).toBe("/start");
  expect(await locationOf(team.browser, yearly)).toBe("/start");
});

test("the home page takes the chosen period along to the sign-up", async () => {
  const { visitor } = await createStripeApp();
  const html = await (await visitor().get("/")).text();
  expect(html).toMatch(/<form(?=[^>]*method="get")(?=[^>]*id="plan-form")[^>]*action="\/signup"/);
  expect(html).toMatch(/<input type="hidden" name="tier" value="premium"/);
  expect(html).toMatch(/<input(?=[^>]*name="period")[^>]*form="plan-form"/);
  expect(visibleText(html)).toContain("Get Premium");
});
