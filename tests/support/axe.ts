import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";

/**
 * What axe-core has against a page: the rule, the place and the reason of each finding, of all rules if none are named.
 * A page is read as it is between two movements: words that are half faded in or out have half their contrast.
 */
export async function findings(page: Page, { rules = [], within }: { rules?: string[]; within?: string } = {}) {
  // Legacy: without a page of its own to gather what frames of other sites say. We have none.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ["violations"] });
  if (rules.length > 0) axe.withRules(rules);
  if (within) axe.include(within);
  await page.evaluate(holdMotion);
  const { violations } = await axe.analyze();
  await page.evaluate(goOn);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(" ")} ${failureSummary}`),
  );
}

/** Waits for what moves for a moment, and holds what is yet to begin, as the going of a toast. What goes on and on goes on. */
async function holdMotion() {
  const phaseOf = (one: Animation) => {
    const { delay = 0, endTime = 0 } = one.effect?.getComputedTiming() ?? {};
    // What follows the scrollbar has no clock.
    if (one.playState !== "running" || one.timeline !== document.timeline) return "at rest";
    if (Number(one.currentTime) < delay) return "to begin";
    return Number(endTime) - delay > 2000 ? "lasting" : "passing";
  };
  const inPhase = (phase: string) => document.getAnimations().filter((one) => phaseOf(one) === phase);
  for (let passing = inPhase("passing"); passing.length > 0; passing = inPhase("passing")) {
    await Promise.allSettled(passing.map(({ finished }) => finished));
  }
  for (const one of inPhase("to begin")) {
    one.pause();
    one.id = "held";
  }
}

function goOn() {
  for (const one of document.getAnimations()) if (one.id === "held") one.play();
}
