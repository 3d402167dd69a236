import lighthouse from "lighthouse";
import type { Flags, Result } from "lighthouse";

import { launchChromium } from "./chromium.ts";
import { freePort } from "#tests/support/program/free-port.ts";

/** Lighthouse's categories; scores are 0 to 100. */
export type Category = "performance" | "accessibility" | "best-practices" | "seo";

/** `failed`: each audit that cost points, with its locations. */
export type LighthouseResult = { scores: Partial<Record<Category, number>>; failed: string[] };

export type LighthouseRunner = {
  rate: (url: string, categories: readonly Category[]) => Promise<LighthouseResult>;
  close: () => Promise<void>;
};

/** One page of each kind that visitors enter the site by. */
export const auditedPages = ["/", "/pricing", "/u/demo-user", "/card/demo-card", "/auth"] as const;

/** Lighthouse with its default settings (a mid-range phone on a slow network) in a browser of its own. */
export async function openLighthouse(): Promise<LighthouseRunner> {
  const port = await freePort();
  // Its measurements are compared with those of earlier releases.
  const browser = await launchChromium([`--remote-debugging-port=${port}`], { isWhole: true });
  return {
    async rate(url, categories) {
      const flags: Flags = { port, onlyCategories: [...categories], logLevel: "error", output: "json" };
      const run = await lighthouse(url, flags);
      if (!run) throw new Error(`Lighthouse said nothing about ${url}.`);
      return resultOf(run.lhr);
    },
    close: () => browser.close(),
  };
}

function resultOf({ categories, audits, runtimeError }: Result): LighthouseResult {
  if (runtimeError) throw new Error(`${runtimeError.code}: ${runtimeError.message}`);
  const all = Object.values(categories);
  const scores = Object.fromEntries(all.map(({ id, score }) => [id, Math.round((score ?? 0) * 100)]));
  const weighed = all.flatMap(({ auditRefs }) => auditRefs.filter(({ weight }) => weight > 0).map(({ id }) => id));
  const failed = [...new Set(weighed)].flatMap((id) => {
    const audit = audits[id];
    if (!audit || audit.score === null || audit.score === 1) return [];
    return [[id, audit.title, audit.displayValue, locationsOf(audit.details)].filter(Boolean).join(": ")];
  });
  return { scores, failed };
}

/** The elements, URLs and console texts of a finding, shortened. */
function locationsOf(details: unknown): string {
  const found = JSON.stringify(details ?? {}).matchAll(/"(?:snippet|url|description|text)":"((?:[^"\\]|\\.)*)"/g);
  const places = new Set([...found].map(([, place = ""]) => place));
  return [...places].slice(0, 5).join(" | ").slice(0, 600);
}
