import { expect, test } from "vitest";

import { formatAmount, invoiceAmount, readInvoicePage } from "./invoice-rules.ts";

/** The currencies of https://docs.stripe.com/currencies that don't have two decimals, or that are special there. */
const zeroDecimal = "BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF";
const threeDecimal = "BHD JOD KWD OMR TND";

/** The digits of an amount, without its currency. */
const digits = (amount: number, currency: string) => formatAmount(amount, currency).replace(/[^\d.,]/g, "");

test("an amount of Stripe is counted in the smallest unit of its currency", () => {
  for (const currency of zeroDecimal.split(" ")) {
    // "To charge 500 JPY, provide an amount value of 500."
    expect([currency, digits(500, currency)]).toEqual([currency, "500"]);
    expect(digits(1_234_567, currency.toLowerCase())).toBe("1,234,567");
  }
  for (const currency of threeDecimal.split(" ")) {
    expect([currency, digits(5_120, currency)]).toEqual([currency, "5.120"]);
    expect(digits(10, currency.toLowerCase())).toBe("0.010");
  }
  // "To charge 5 ISK, provide an amount value of 500." The decimals are never shown.
  for (const currency of ["ISK", "UGX"]) expect([currency, digits(500, currency)]).toEqual([currency, "5"]);
  // Only payouts have none.
  for (const currency of ["HUF", "TWD"]) expect([currency, digits(1_045, currency)]).toEqual([currency, "10.45"]);
});

test.each([
  ["$7.99", formatAmount(799, "usd")],
  ["$80.00", formatAmount(8_000, "usd")],
  ["$0.00", formatAmount(0, "usd")],
  ["-$5.00", formatAmount(-500, "usd")],
  ["€1,234,567.89", formatAmount(123_456_789, "eur")],
  ["1.234.567,89 €", formatAmount(123_456_789, "eur", "de-DE")],
  ["¥500", formatAmount(500, "jpy")],
  ["￥500", formatAmount(500, "jpy", "ja-JP")],
  ["5,120 KWD", formatAmount(5_120, "kwd", "fr-FR")],
  ["US$ 7,99", formatAmount(799, "usd", "pt-BR")],
])("an amount of Stripe is written as %s", (expected, text) => {
  expect(text.replace(/[\u00a0\u202f]/g, " ")).toBe(expected);
});

test("an invoice shows what was paid, and until then what is due", () => {
  expect(invoiceAmount({ status: "paid", amount_due: 799, amount_paid: 600 })).toBe(600);
  expect(invoiceAmount({ status: "open", amount_due: 799, amount_paid: 0 })).toBe(799);
});

test.each([
  ["", 1],
  ["invoices=2", 2],
  ["invoices=0", 1],
  ["invoices=-1", 1],
  ["invoices=2.5", 1],
  ["invoices=1e9", 1],
  ["invoices=99999999999999999999", 1],
])("the page of %j is %i", (search, page) => {
  expect(readInvoicePage(new URLSearchParams(search))).toBe(page);
});
