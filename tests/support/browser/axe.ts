import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";

/**
 * axe-core's violations on a page, each with its rule, element and reason. Runs all rules if none are named.
 * Ends animations first: half-faded text has half its contrast.
 */
export async function findAxeViolations(
  page: Page,
  { rules = [], within }: { rules?: string[]; within?: string } = {},
) {
  // Legacy mode opens no extra page to collect results from other sites' frames. We have none.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ["violations"] });
  if (rules.length > 0) axe.withRules(rules);
  if (within) axe.include(within);
  await page.evaluate(pauseAnimations);
  const { violations } = await axe.analyze();
  await page.evaluate(resumeAnimations);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(" ")} ${failureSummary}`),
  );
}

/**
 * Finishes short animations and pauses those that haven't begun, such as a toast's exit. Endless ones go on. Waiting for their end would
 * take as long as they do, and forever where a busy browser draws no frames.
 */
async function pauseAnimations() {
  const phaseOf = (one: Animation) => {
    const { delay = 0, endTime = 0 } = one.effect?.getComputedTiming() ?? {};
    // Scroll-driven animations have no clock.
    if (one.playState !== "running" || one.timeline !== document.timeline) return "at rest";
    if (Number(one.currentTime) < delay) return "to begin";
    return Number(endTime) - delay > 2000 ? "lasting" : "passing";
  };
  const inPhase = (phase: string) => document.getAnimations().filter((one) => phaseOf(one) === phase);
  for (let passing = inPhase("passing"); passing.length > 0; passing = inPhase("passing")) {
    for (const one of passing) one.finish();
    // What follows them may begin in a task of its own.
    await new Promise((resolve) => setTimeout(resolve));
  }
  for (const one of inPhase("to begin")) {
    one.pause();
    one.id = "held";
  }
}

function resumeAnimations() {
  for (const one of document.getAnimations()) if (one.id === "held") one.play();
}

/** Colors only: nothing else differs. A public page keeps its owner's theme in light mode too. */
export async function findLightThemeViolations(page: Page): Promise<string[]> {
  const hasMode = await page.evaluate(() => {
    const { dataset } = document.documentElement;
    if (!dataset["mode"]) return false;
    dataset["mode"] = "light";
    return true;
  });
  if (!hasMode) return [];
  const found = await findAxeViolations(page, { rules: ["color-contrast"] });
  await page.evaluate(() => void (document.documentElement.dataset["mode"] = "dark"));
  return found;
}
