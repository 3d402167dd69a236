import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { openSite } from "#tests/support/browser.ts";
import { openLighthouse, ratedPages } from "#tests/support/lighthouse.ts";
import type { Rater } from "#tests/support/lighthouse.ts";

const site = openSite();
let lighthouse: Rater;

beforeAll(async () => {
  lighthouse = await openLighthouse();
});
afterAll(() => lighthouse.close());

describe("Lighthouse finds nothing to mend in accessibility, best practices and search", () => {
  // How fast a page is swings with the machine: `npm run bench` prints that.
  test.for(ratedPages)("on %s", { timeout: 120_000 }, async (path) => {
    const verdict = await lighthouse.rate(site.url + path, ["accessibility", "best-practices", "seo"]);
    expect(verdict).toEqual({ scores: { accessibility: 100, "best-practices": 100, seo: 100 }, failed: [] });
  });
});
