import { openLighthouse, ratedPages } from "#tests/support/lighthouse.ts";

import { median } from "./program.ts";
import { atLeast } from "./table.ts";
import type { Row } from "./table.ts";

const runs = 5;

/** Lighthouse's score for speed, on a middling phone and a slow line as it simulates them: pages in turn, the median of five. */
export async function lighthouseSpeed(url: string): Promise<Row[]> {
  const rater = await openLighthouse();
  const scores = new Map<string, number[]>(ratedPages.map((path) => [path, []]));
  for (let run = 0; run < runs; run++) {
    for (const path of ratedPages) {
      const verdict = await rater.rate(url + path, ["performance"]);
      scores.get(path)?.push(verdict.scores.performance ?? 0);
    }
  }
  await rater.close();
  return ratedPages.map((path) => {
    const found = scores.get(path) ?? [];
    const range = `${Math.min(...found)} to ${Math.max(...found)}`;
    const middle = median(found);
    return { what: `Lighthouse, performance of ${path}`, value: `${middle} (${range})`, bar: atLeast(95, middle) };
  });
}
