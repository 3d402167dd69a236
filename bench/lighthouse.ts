import { auditedPages, openLighthouse } from "#tests/support/browser/lighthouse.ts";
import type { LighthouseRunner } from "#tests/support/browser/lighthouse.ts";
import { openStripe } from "#tests/support/providers/stripe/stripe-double.ts";

import { median, startMeishi } from "./program.ts";
import { atLeast, notMeasured } from "./table.ts";
import type { Row } from "./table.ts";

const rounds = 5;
const tries = 3;

/** Lighthouse's performance score on its simulated mid-range phone and slow network: the median of five rounds over all pages. */
export async function lighthouseSpeed(url: string): Promise<Row[]> {
  return rateAll(url, auditedPages);
}

/** The same of the pricing page of a site that sells Premium. */
export async function lighthouseSpeedOfSale(): Promise<Row[]> {
  const stripe = await openStripe({ closesAfterTest: false });
  const meishi = await startMeishi({ environment: stripe.env });
  try {
    const rows = await rateAll(meishi.url, ["/pricing"]);
    return rows.map((row) => ({ ...row, what: `${row.what} where Premium is sold` }));
  } finally {
    await meishi.stop();
    await stripe.close();
  }
}

async function rateAll(url: string, paths: readonly string[]): Promise<Row[]> {
  const runner = await openLighthouse();
  const scores = new Map<string, number[]>(paths.map((path) => [path, []]));
  const failures = new Map<string, unknown>();
  for (let round = 0; round < rounds; round++) {
    for (const path of paths) {
      const score = await rate(runner, url + path).catch((error: unknown) => void failures.set(path, error));
      if (score !== undefined) scores.get(path)?.push(score);
    }
  }
  await runner.close();
  return paths.map((path) => {
    const what = `Lighthouse, performance of ${path}`;
    const found = scores.get(path) ?? [];
    if (found.length === 0) return notMeasured(what, failures.get(path));
    const score = median(found);
    return { what, value: `${score} (${Math.min(...found)} to ${Math.max(...found)})`, bar: atLeast(95, score) };
  });
}

/** On a busy machine Chromium sometimes reports no start of the navigation (NO_NAVSTART), and does at the next try. */
async function rate(runner: LighthouseRunner, url: string): Promise<number> {
  for (let attempt = 1; ; attempt++) {
    try {
      const { scores } = await runner.rate(url, ["performance"]);
      return scores.performance ?? 0;
    } catch (error) {
      if (attempt === tries) throw error;
    }
  }
}
