import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { openSite } from "#tests/support/browser/site.ts";
import { openLighthouse, auditedPages } from "#tests/support/browser/lighthouse.ts";
import type { LighthouseRunner } from "#tests/support/browser/lighthouse.ts";

const site = openSite();
let lighthouse: LighthouseRunner;

beforeAll(async () => {
  lighthouse = await openLighthouse();
});
afterAll(() => lighthouse.close());

describe("Lighthouse finds no failed audit in accessibility, best practices and SEO", () => {
  // Performance depends on the machine: `npm run bench` prints it.
  test.for(auditedPages)("on %s", async (path) => {
    const verdict = await lighthouse.rate(site.url + path, ["accessibility", "best-practices", "seo"]);
    expect(verdict).toEqual({ scores: { accessibility: 100, "best-practices": 100, seo: 100 }, failed: [] });
  });
});
