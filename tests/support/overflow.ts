import type { Page } from "playwright-core";

/** What is wider than the window or leads out of it, in a window of this width and height. */
export async function sideways(page: Page, [width, height]: readonly [number, number]): Promise<string[]> {
  await page.setViewportSize({ width, height });
  return page.evaluate(findSideways);
}

async function findSideways(): Promise<string[]> {
  // What measures its window has then done so.
  for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
  const width = document.documentElement.clientWidth;
  const name = (element: Element) =>
    `${element.tagName}.${element.className} "${element.textContent?.trim().slice(0, 30)}"`;
  /** A picture that is larger than its frame on purpose. */
  const isCut = (element: Element) =>
    element instanceof HTMLImageElement && getComputedStyle(element.parentElement ?? element).overflowX === "hidden";
  const found =
    document.documentElement.scrollWidth > width ? [`the page: ${document.documentElement.scrollWidth}`] : [];
  for (const element of document.body.querySelectorAll<HTMLElement>("*")) {
    // What is there to be leafed through goes on beyond its edge.
    if (element.closest('[aria-roledescription="carousel"]')) continue;
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    const { overflowX, position } = getComputedStyle(element);
    if (/auto|scroll/.test(overflowX) && element.scrollWidth > element.clientWidth)
      found.push(`inside ${name(element)}`);
    const { left, right, width: own, height } = element.getBoundingClientRect();
    const isThere = own > 1 && height > 1 && position !== "absolute";
    if (isThere && (left < -1 || right > width + 1) && !element.closest("svg, .sr-only, .unseen") && !isCut(element)) {
      found.push(`${name(element)} from ${Math.round(left)} to ${Math.round(right)}`);
    }
  }
  return found;
}
