import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";

import PricingPage from "./pricing-page.tsx";

const html = renderToStaticMarkup(<PricingPage />);

test("both plans are there with both prices, and monthly is shown first", () => {
  for (const text of ["Free", "Premium", "$0", "$7.99", "$80", "Save ~17%", "2 months free on yearly"])
    expect(html).toContain(text);
  expect(/<input[^>]*checked=""[^>]*>/.exec(html)?.[0]).toContain('value="monthly"');
});

test("a plan leads to sign-up, which keeps it", () => {
  expect(html).toContain('href="/signup?tier=free"');
  expect(html).toContain('href="/signup?tier=premium"');
});

test("what can't be bought yet is not offered for sale", () => {
  expect(html).toContain("Premium is not on sale yet");
  expect(html).not.toMatch(/checkout|buy now|subscribe/i);
});
