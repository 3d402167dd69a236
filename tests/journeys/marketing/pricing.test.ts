import { afterEach, describe, expect, test } from "vitest";

import { maxLinks } from "#app/features/links/rules.ts";
import { plans } from "#app/features/billing/rules.ts";
import { toastIn } from "#tests/support/app/responses.ts";
import { cardFields } from "#tests/support/app/cards.ts";
import { walletSettings } from "#tests/support/fixtures/wallet/demo-wallet.ts";
import { makePremium, profileForm, userIdOf } from "#tests/support/app/profiles.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import type { TestApp } from "#tests/support/app/test-app.ts";
import type { Visitor } from "#tests/support/app/visitor.ts";

const checkout = "/pricing/checkout";

describe("the plans", () => {
  test("list what each includes, and what is not available yet", async () => {
    const words = textOf(await open("/pricing"));
    for (const text of ["1 business card", "Unlimited business cards", "3 of 6 themes", "All 6 themes"]) {
      expect(words).toContain(text);
    }
    for (const line of ["Support Standard Priority", "Links on your profile 8 8", "Business cards 1 Unlimited"]) {
      expect(words).toContain(line);
    }
    expect(words).toContain("Analytics Charts of visits and clicks – No Yes");
    expect(words).not.toContain("Wallet passes");
  });

  test("include wallet passes where the operator has configured them", async () => {
    const { visitor } = await createTestApp({ env: walletSettings });
    expect(textOf(await text(visitor().get("/pricing")))).toContain("Wallet passes Yes Yes");
  });

  test("are compared with paper and hosted services in a table with headings", async () => {
    const html = await open("/pricing");
    expect(html.match(/<table role="table"/g)).toHaveLength(2);
    for (const heading of ["Free", "Premium", "Meishi", "Paper cards", "Hosted services"]) {
      expect(html).toMatch(new RegExp(`<th[^>]* scope="col"[^>]*>${heading}</th>`));
    }
  });

  test("show the billing period of the query, monthly by default", async () => {
    expect(checkedIn(await open("/pricing?period=yearly"))).toBe("yearly");
    for (const period of ["", "monthly", "YEARLY", "weekly", '"><script>alert(1)</script>', "yearly%00", "%"]) {
      const html = await open(`/pricing?period=${period}`);
      expect(checkedIn(html)).toBe("monthly");
      expect(html).not.toContain("alert(1)");
    }
  });

  test("are cached for visitors, but not for another billing period", async () => {
    const { visitor } = await createTestApp();
    expect(checkedIn(await text(visitor().get("/pricing?period=yearly")))).toBe("yearly");
    expect(checkedIn(await text(visitor().get("/pricing")))).toBe("monthly");
    expect(checkedIn(await text(visitor().get("/pricing?period=yearly")))).toBe("yearly");
    expect(checkedIn(await text(visitor().get("/pricing?utm=x")))).toBe("monthly");
  });
});

describe("the page and the server use the same rules", () => {
  const { free } = plans;
  const before = { ...free };
  afterEach(() => void Object.assign(free, before));

  test("a changed card limit changes the page and what the server refuses", async () => {
    free.maxCards = 2;
    const { visitor, signedIn } = await createTestApp();
    expect(textOf(await text(visitor().get("/pricing")))).toContain("2 business cards");
    const person = await signedIn();
    for (const made of ["/cards/edit/", "/cards/edit/", "/profile"]) {
      const response = await person.post("/cards/edit", { ...cardFields, id: crypto.randomUUID() });
      expect(response.headers.get("location") ?? "").toContain(made === "/profile" ? "/profile" : "/card");
    }
  });

  test("a theme removed from a plan disappears from the page and can't be chosen", async () => {
    free.themes = ["default"];
    const { visitor, signedIn } = await createTestApp();
    expect(textOf(await text(visitor().get("/pricing")))).toContain("1 of 6 themes");
    const response = await (await signedIn()).post("/profile", profileForm({ theme: "ocean" }));
    expect(response.status).toBe(422);
  });

  test("saves as many links as the plans promise, and no more", async () => {
    expect([plans.free.maxLinks, plans.premium.maxLinks]).toEqual([maxLinks, maxLinks]);
  });
});

describe("the button of a paid plan", () => {
  test("sends a visitor to sign in, with a message, and back", async () => {
    const { visitor, signedIn } = await createTestApp();
    const { email, password } = await signedIn();
    const person = visitor();
    const asked = await person.post(checkout, { period: "monthly" });
    expect(asked.headers.get("location")).toBe("/auth?redirect=/pricing");
    expect(toastIn(asked)).toEqual({ title: "Please log in to subscribe.", tone: "warning" });
    const login = await text(person.get("/auth?redirect=/pricing"));
    expect(login).toContain("Please log in to subscribe.");
    expect(login).toContain('data-tone="warning"');
    expect(login).toContain('href="/auth?tab=signup&amp;returnTo=%2Fpricing"');
    const back = await person.post("/auth?redirect=/pricing", { intent: "log-in", email, password });
    expect(back.headers.get("location")).toBe("/pricing");
    expect(await text(person.get("/auth?redirect=/pricing"))).not.toContain("Please log in to subscribe.");
  });

  test("tells a user that it can't be bought yet and nothing was charged", async () => {
    const { signedIn } = await createTestApp();
    const person = await signedIn();
    const response = await person.post(checkout, { period: "monthly" });
    expect(response.headers.get("location")).toBe("/pricing");
    expect(await text(person.get("/pricing"))).toContain("Checkout failed: Premium isn&#x27;t available yet.");
    expect(await text(person.get("/pricing"))).not.toContain("Checkout failed");
  });

  test("tells a Premium user that they have it", async () => {
    const { signedIn, services } = await createTestApp();
    const person = await signedIn();
    await upgrade(person, services);
    expect(toastIn(await person.post(checkout, { period: "monthly" }))).toMatchObject({
      title: "You're already on Premium",
    });
  });

  test("keeps the chosen billing period while a visitor signs in", async () => {
    const { visitor } = await createTestApp();
    const asked = await visitor().post(checkout, { period: "yearly" });
    expect(asked.headers.get("location")).toBe("/auth?redirect=%2Fpricing%3Fperiod%3Dyearly");
  });

  test("refuses a period that isn't offered", async () => {
    const { visitor } = await createTestApp();
    for (const period of ["", "weekly"]) expect((await visitor().post(checkout, { period })).status).toBe(400);
  });

  test("refuses other origins, and buys nothing when a link is opened", async () => {
    const { visitor, signedIn } = await createTestApp();
    expect((await visitor().post(checkout, { period: "monthly" }, { origin: "https://evil.example" })).status).toBe(
      403,
    );
    expect((await (await signedIn()).get(checkout)).headers.get("location")).toBe("/pricing");
  });
});

describe("a signed-in user", () => {
  test("sees that Free is their plan, without a link to sign-up", async () => {
    const { signedIn } = await createTestApp();
    const html = await text((await signedIn()).get("/pricing"));
    expect(textOf(html)).toMatch(/Free Your plan.*Premium Pro/);
    expect(html).not.toContain("/signup");
    expect(html).toContain('href="/profile"');
    expect(html).toContain('href="/contact"');
  });

  test("sees that Premium is their plan while it lasts, then Free", async () => {
    let now = Date.UTC(2026, 10, 21);
    const { signedIn, services } = await createTestApp({ clock: () => now });
    const person = await signedIn();
    await upgrade(person, services, now + 1000);
    const html = await text(person.get("/pricing"));
    expect(textOf(html)).toMatch(/Premium Pro Your plan/);
    expect(html).toContain('href="/account"');
    expect(html).not.toContain("/signup");
    now += 1000;
    expect(textOf(await text(person.get("/pricing")))).toMatch(/Free Your plan/);
  });

  test("gets a page that is never cached for others", async () => {
    const { signedIn, visitor } = await createTestApp();
    await text((await signedIn()).get("/pricing"));
    expect(await text(visitor().get("/pricing"))).not.toContain("Your plan");
  });
});

describe("after the checkout", () => {
  test("/success requires a sign-in and shows the plan in force", async () => {
    const { visitor, signedIn, services } = await createTestApp();
    expect((await visitor().get("/success")).headers.get("location")).toBe("/auth?returnTo=%2Fsuccess");
    const person = await signedIn();
    const free = await text(person.get("/success"));
    expect(free).toContain("Your plan is still Free");
    expect(free).not.toContain("re Pro now!");
    for (const way of ["/success", "/pricing", "/contact"]) expect(free).toContain(`href="${way}"`);
    await upgrade(person, services);
    const premium = await text(person.get("/success"));
    expect(premium).toContain("You&#x27;re Pro now!</h1>");
    expect(premium).toMatch(/<a [^>]*href="\/profile"[^>]*>Go to dashboard/);
    expect(premium).toMatch(/<a [^>]*href="\/pricing"[^>]*>Manage Plan/);
  });

  test("/cancel tells anyone that the card remains free", async () => {
    const html = await open("/cancel");
    expect(html).toContain("<title>Checkout canceled | Meishi</title>");
    expect(html).toContain("Your card remains free");
    expect(html).toMatch(/<main[^>]*>.*href="\/pricing".*href="\/"/s);
  });
});

async function open(path: string) {
  const { visitor } = await createTestApp();
  const response = await visitor().get(path);
  expect(response.status).toBe(200);
  return response.text();
}

async function text(response: Promise<Response>): Promise<string> {
  return (await response).text();
}

/** The visible text, with single spaces. */
function textOf(html: string): string {
  const main = /<main.*<\/main>/s.exec(html)?.[0] ?? "";
  return main
    .replaceAll("<!-- -->", "")
    .replace(/<[^>]+>/g, " ")
    .replaceAll("&#x27;", "'")
    .replace(/\s+/g, " ");
}

function checkedIn(html: string): string | undefined {
  return /<input[^>]*checked=""[^>]*>/.exec(html)?.[0].match(/value="(\w+)"/)?.[1];
}

/** Gives a user Premium until `endsAt`. */
async function upgrade(person: Pick<Visitor, "get">, services: TestApp["services"], endsAt: number | null = null) {
  await makePremium(services, await userIdOf(person), endsAt);
}
