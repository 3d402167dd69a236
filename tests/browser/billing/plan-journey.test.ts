import type { BrowserContext, Page } from "playwright-core";
import { describe, expect, test } from "vitest";

import { desktop, openOwnSite, phone } from "#tests/support/browser/site.ts";
import { makeCard, signUp } from "#tests/support/browser/users.ts";
import { seededPassword } from "#tests/support/database/seed.ts";
import { openStripeForPrograms } from "#tests/support/providers/stripe/stripe-program.ts";

type Sale = Awaited<ReturnType<typeof openStripeForPrograms>>;

const days = 86_400_000;

/** One program each: time passes in all of it. */
describe.each([
  { how: "on a desktop", device: desktop, sale: await openStripeForPrograms({ closesAfterTest: false }) },
  {
    how: "on a phone without script",
    device: { ...phone, javaScriptEnabled: false },
    sale: await openStripeForPrograms({ closesAfterTest: false }),
  },
])("$how", ({ device, sale }) => {
  const site = openOwnSite(sale.env);

  test("Free, Premium, canceled, paused at the end of the period, and Premium again", async () => {
    const { page, context } = await site.open(device);
    const { email } = await signUp(context, site.program, `${crypto.randomUUID()}@example.com`);
    const oldest = await makeCard(context, site.program, { card_name: "Engines" });

    await page.goto("/profile");
    await page.getByText("Please upgrade to Premium to create more.").waitFor();
    await page.locator("#cards").getByRole("link", { name: "See plans" }).click();
    await buy(page);
    await page.getByRole("link", { name: "Add another card" }).click();
    await page.getByLabel("Card name").fill("Poems");
    await page.getByRole("button", { name: "Save Changes" }).click();
    await page.waitForURL("**/share/card/*");
    const second = new URL(page.url()).pathname.split("/").at(-1) ?? "";
    const statuses = () => Promise.all([oldest, second].map((card) => statusOf(`${site.url}/card/${card}`)));
    expect(await statuses()).toEqual([200, 200]);

    await page.goto("/account");
    await page.getByText("Renews on").waitFor();
    await cancelInPortal(page, context);
    await deliverEvents(sale, site);
    await expect
      .poll(async () => {
        await page.reload();
        return page.getByText("Ends on").isVisible();
      })
      .toBe(true);
    sale.advance(29 * days);
    expect(await statuses()).toEqual([200, 200]);

    sale.advance(1 * days);
    // No event has arrived, and the session ended long ago.
    expect(await statuses()).toEqual([200, 404]);
    await signIn(page, email);
    await page.goto("/profile");
    await page.getByText("Paused on Free", { exact: true }).waitFor();
    await page.getByText("The others are kept, and come back with Premium.").waitFor();
    await deliverEvents(sale, site);

    await page.locator("#cards").getByRole("link", { name: "See plans" }).click();
    await buy(page);
    await expect.poll(statuses).toEqual([200, 200]);
    await page.goto("/profile");
    await page.getByRole("link", { name: "Share Poems" }).waitFor();
    expect(await page.getByText("Paused on Free").count()).toBe(0);
  }, 180_000);
});

/** From the pricing page to the page that Stripe leads back to. */
async function buy(page: Page) {
  await page.getByRole("button", { name: "Upgrade to Premium" }).click();
  await page.getByRole("heading", { name: "Checkout" }).waitFor();
  await page.getByRole("button", { name: "Subscribe" }).click();
  await page.getByRole("heading", { name: "You're Pro now!" }).waitFor();
}

async function cancelInPortal(page: Page, context: BrowserContext) {
  const opened = context.waitForEvent("page");
  await page.getByRole("button", { name: "Manage subscription" }).click();
  const portal = await opened;
  const canceled = portal.waitForResponse((response) => response.request().method() === "POST");
  await portal.getByRole("button", { name: "Cancel subscription" }).click();
  await canceled;
  // The portal stays open: closing a tab that still loads may never end.
  await page.bringToFront();
}

async function deliverEvents({ stripe, send }: Sale, site: { url: string }) {
  for (const event of stripe.takeEvents()) expect((await send(site, event)).status).toBe(200);
}

async function signIn(page: Page, email: string) {
  await page.goto("/auth");
  await page.getByLabel("Email", { exact: true }).fill(email);
  await page.getByLabel("Password", { exact: true }).fill(seededPassword);
  await page.getByRole("button", { name: "Login", exact: true }).click();
  await page.waitForURL("**/profile");
}

/** For a visitor: the owner's own page shows more. */
async function statusOf(url: string): Promise<number> {
  return (await fetch(url, { signal: AbortSignal.timeout(30_000) })).status;
}
