import lighthouse from "lighthouse";
import type { Flags, Result } from "lighthouse";

import { launchChromium } from "./chromium.ts";
import { freePort } from "./program.ts";

/** What Lighthouse rates, each from 0 to 100. */
export type Category = "performance" | "accessibility" | "best-practices" | "seo";

/** `failed`: each audit that cost points, with where or why. */
export type Verdict = { scores: Partial<Record<Category, number>>; failed: string[] };

export type Rater = {
  rate: (url: string, categories: readonly Category[]) => Promise<Verdict>;
  close: () => Promise<void>;
};

/** One page of each kind that somebody may meet first. */
export const ratedPages = ["/", "/pricing", "/u/demo-user", "/card/demo-card", "/auth"] as const;

/** Lighthouse as it is set up by itself: a middling phone on a slow line. In a browser of its own. */
export async function openLighthouse(): Promise<Rater> {
  const port = await freePort();
  const browser = await launchChromium([`--remote-debugging-port=${port}`]);
  return {
    async rate(url, categories) {
      const flags: Flags = { port, onlyCategories: [...categories], logLevel: "error", output: "json" };
      const run = await lighthouse(url, flags);
      if (!run) throw new Error(`Lighthouse said nothing about ${url}.`);
      return verdictOf(run.lhr);
    },
    close: () => browser.close(),
  };
}

function verdictOf({ categories, audits, runtimeError }: Result): Verdict {
  if (runtimeError) throw new Error(`${runtimeError.code}: ${runtimeError.message}`);
  const all = Object.values(categories);
  const scores = Object.fromEntries(all.map(({ id, score }) => [id, Math.round((score ?? 0) * 100)]));
  const weighed = all.flatMap(({ auditRefs }) => auditRefs.filter(({ weight }) => weight > 0).map(({ id }) => id));
  const failed = [...new Set(weighed)].flatMap((id) => {
    const audit = audits[id];
    if (!audit || audit.score === null || audit.score === 1) return [];
    return [[id, audit.title, audit.displayValue, placesOf(audit.details)].filter(Boolean).join(": ")];
  });
  return { scores, failed };
}

/** What a finding points at, in few words: elements, addresses, texts of the console. */
function placesOf(details: unknown): string {
  const found = JSON.stringify(details ?? {}).matchAll(/"(?:snippet|url|description|text)":"((?:[^"\\]|\\.)*)"/g);
  const places = new Set([...found].map(([, place = ""]) => place));
  return [...places].slice(0, 5).join(" | ").slice(0, 600);
}
