import { sql } from "kysely";
import { describe, expect, test } from "vitest";

import { formatDate } from "#app/services/base/format.ts";
import { readElements, toastIn, visibleText } from "#tests/support/app/responses.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import { callFunction } from "#tests/support/app/visitor.ts";
import { createSubscribedApp } from "#tests/support/providers/stripe/stripe-app.ts";

const day = 86_400_000;

async function withSubscriber() {
  const product = await createSubscribedApp();
  const { ada, stripe, subscription } = product;
  const add = (one: Parameters<typeof stripe.billing.addInvoice>[1]) => stripe.billing.addInvoice(subscription, one);
  const refresh = () => ada.post("/account", { intent: "check" });
  /** The text of the rows on the account page, without markup. */
  const rows = async (path = "/account") => {
    const html = await (await ada.get(path)).text();
    const panel = /<section id="billing-history".*?<\/section>/s.exec(html)?.[0] ?? "";
    return [...panel.matchAll(/<li.*?<\/li>/gs)].map(([row]) => visibleText(row).trim());
  };
  return { ...product, add, refresh, rows };
}

describe("the billing history", () => {
  test("has what was paid, with links that open in a new tab", async () => {
    const { ada, stripe, invoice, rows } = await withSubscriber();
    const date = formatDate(stripe.clock());
    expect(await rows()).toEqual([expect.stringContaining(`MEISHI-0001 $7.99 Paid · ${date}`)]);
    const links = readElements(await (await ada.get("/account")).text()).map(({ attributes }) => attributes);
    for (const href of [`/account/invoices/${invoice.id}`, `/account/invoices/${invoice.id}/pdf`])
      expect(links).toContainEqual(expect.objectContaining({ href, rel: "noreferrer", target: "_blank" }));
  });

  test("has each payment of a renewal, the newest first, and one that failed as not paid", async () => {
    const { stripe, customer, deliver, rows } = await withSubscriber();
    stripe.advance(30 * day);
    customer.card = "declined";
    stripe.advance(30 * day);
    await deliver();
    expect((await rows()).map((row) => row.split(" · ")[0])).toEqual([
      "MEISHI-0003 $7.99 Not paid yet",
      "MEISHI-0002 $7.99 Paid",
      "MEISHI-0001 $7.99 Paid",
    ]);
  });

  test("follows the owner's way of writing, with the decimals of each currency, and leaves drafts out", async () => {
    const { ownerId, services, add, refresh, rows } = await withSubscriber();
    const created = Date.UTC(2026, 0, 31, 23, 30) / 1000;
    add({ amount: 500, currency: "jpy", created });
    add({ amount: 5_120, currency: "kwd", created: created - 1 });
    add({ amount: 799, status: "draft", number: null });
    await refresh();
    const preference = { owner_id: ownerId, mails_sign_ins: 1 as const, locale: "de-DE", time_zone: "Europe/Berlin" };
    await services.db.insertInto("account_preference").values(preference).execute();
    expect(await rows()).toEqual([
      expect.stringContaining("7,99 $"),
      expect.stringContaining("500 ¥ Paid · 1. Februar 2026"),
      expect.stringContaining("5,120 KWD Paid · 1. Februar 2026"),
    ]);
  });

  test("has pages of 24, which work without script and in billing-history", async () => {
    const { ada, add, refresh, rows } = await withSubscriber();
    for (let n = 1; n <= 29; n++) add({ amount: 100 * n, created: 1_700_000_000 + n });
    await refresh();
    const first = await (await ada.get("/account")).text();
    expect(first).toContain('href="/account?invoices=2#billing-history"');
    expect(first).not.toContain(">Newer</a>");
    expect(await rows()).toHaveLength(24);
    const second = await (await ada.get("/account?invoices=2")).text();
    expect(second).toContain('href="/account#billing-history"');
    expect(second).not.toContain(">Older</a>");
    const older = await rows("/account?invoices=2");
    expect(older.map((row) => /\$\d+\.00/.exec(row)?.[0])).toEqual([6, 5, 4, 3, 2, 1].map((n) => `$${n}.00`));
    expect(await (await ada.get("/account?invoices=9")).text()).toContain("No older invoices");
    expect(await rows("/account?invoices=no")).toHaveLength(24);
    const page = async (input?: unknown) => (await callFunction(ada, "billing-history", { input })).body;
    expect(await page()).toMatchObject({ has_more: true, invoices: { length: 24 } });
    expect(await page({ page: 2 })).toMatchObject({ has_more: false, invoices: { length: 6 } });
    for (const wrong of [0, 1.5, "2", null, 1e9])
      expect(await page({ page: wrong })).toMatchObject({ error: "Could not load billing history" });
  });

  test("that can't be read leaves the rest of the page, and can be tried again", async () => {
    const { ada, services } = await withSubscriber();
    await sql`drop table stripe_invoice`.execute(services.db);
    const html = await (await ada.get("/account")).text();
    expect(html).toContain("Could not load billing history");
    expect(html).toMatch(/href="\/account"[^>]*>Try again/);
    expect(html).toContain("Active");
    expect(await callFunction(ada, "billing-history")).toMatchObject({
      status: 503,
      body: { error: "Could not load billing history" },
    });
  });

  test("keeps an invoice that Stripe changed up to date", async () => {
    const { invoice, refresh, rows, stripe } = await withSubscriber();
    Object.assign(invoice, { status: "void" });
    await refresh();
    expect(await rows()).toEqual([expect.stringContaining("Void")]);
    stripe.state.invoices.delete(invoice.id);
    await refresh();
    expect(await rows()).toHaveLength(1);
  });
});

describe("the link to an invoice", () => {
  test("leads to Stripe's current one, because Stripe's links expire", async () => {
    const { ada, invoice } = await withSubscriber();
    invoice.hosted_invoice_url = "https://invoice.stripe.com/i/renewed?s=ap&x=1";
    const page = await ada.get(`/account/invoices/${invoice.id}`);
    expect(await page.text()).toContain('url=https://invoice.stripe.com/i/renewed?s=ap&#38;x=1"');
    expect(page.headers.get("cache-control")).toBe("no-store");
    expect(await (await ada.get(`/account/invoices/${invoice.id}/pdf`)).text()).toContain(
      `url=${invoice.invoice_pdf}"`,
    );
  });

  test("asks for a proof first, and leads back after it", async () => {
    const { ada, invoice, stripe, ageProofs } = await withSubscriber();
    await ageProofs();
    stripe.requests.length = 0;
    const path = `/account/invoices/${invoice.id}/pdf`;
    const verify = (await ada.get(path)).headers.get("location") ?? "";
    expect(verify).toBe(`/account/verify?returnTo=${encodeURIComponent(path)}`);
    expect(stripe.requests).toEqual([]);
    expect((await ada.post(verify, { password: ada.password })).headers.get("location")).toBe(path);
    expect((await ada.get(path)).status).toBe(200);
  });

  test("is for its owner alone", async () => {
    const { signedIn, visitor, invoice, stripe } = await withSubscriber();
    const bob = await signedIn("bob@example.com");
    stripe.requests.length = 0;
    for (const id of [invoice.id, "in_unknown", "..%2fcustomers", "x".repeat(3_000)])
      expect((await bob.get(`/account/invoices/${id}`)).status, id).toBe(404);
    expect((await bob.get(`/account/invoices/${invoice.id}/csv`)).status).toBe(404);
    expect((await visitor().get(`/account/invoices/${invoice.id}`)).headers.get("location")).toContain(
      "/auth?returnTo=",
    );
    expect(stripe.requests).toEqual([]);
  });

  test("says when Stripe can't be asked", async () => {
    const { ada, invoice, stripe } = await withSubscriber();
    const message = async () => toastIn(await ada.get(`/account/invoices/${invoice.id}`));
    stripe.health = "down";
    expect(await message()).toMatchObject({ title: "Could not open the invoice", tone: "error" });
    stripe.health = "ok";
    invoice.hosted_invoice_url = null;
    expect(await message()).toMatchObject({ title: "Could not open the invoice" });
  });
});

describe("billing-history", () => {
  test("returns the invoices of the caller, without waiting for Stripe", async () => {
    const { ada, signedIn, services, stripe, invoice } = await withSubscriber();
    stripe.health = "down";
    const { status, body } = await callFunction(ada, "billing-history");
    const url = `${services.config.baseUrl}/account/invoices/${invoice.id}`;
    expect([status, body]).toEqual([
      200,
      {
        invoices: [
          {
            id: invoice.id,
            number: "MEISHI-0001",
            status: "paid",
            created: invoice.created,
            currency: "usd",
            amount_due: 799,
            amount_paid: 799,
            hosted_invoice_url: url,
            invoice_pdf: `${url}/pdf`,
          },
        ],
        has_more: false,
      },
    ]);
    const bob = await signedIn("bob@example.com");
    expect((await callFunction(bob, "billing-history")).body).toEqual({ invoices: [], has_more: false });
    expect(visibleText(await (await bob.get("/account")).text())).toMatch(/No invoices(?!.*MEISHI-)/);
  });

  test("is empty where Premium isn't sold", async () => {
    const { signedIn } = await createTestApp();
    const { status, body } = await callFunction(await signedIn(), "billing-history");
    expect([status, body]).toEqual([200, { invoices: [], has_more: false }]);
  });
});
