import type { Page } from "playwright-core";

/** Elements that are wider than a window of this size or stick out of it. The window keeps the size. */
export async function findOverflow(page: Page, [width, height]: readonly [number, number]): Promise<string[]> {
  await page.setViewportSize({ width, height });
  return page.evaluate(listOverflowing);
}

async function listOverflowing(): Promise<string[]> {
  // Scripts that measure the window have run after two frames.
  const drawn = new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  // Chromium may draw no frame for a tab that it takes for hidden.
  await Promise.race([drawn, new Promise((resolve) => setTimeout(resolve, 1_000))]);
  const width = document.documentElement.clientWidth;
  const name = (element: Element) =>
    `${element.tagName}.${element.className} "${element.textContent?.trim().slice(0, 30)}"`;
  /** An image that its frame crops on purpose. */
  const isCut = (element: Element) =>
    element instanceof HTMLImageElement && getComputedStyle(element.parentElement ?? element).overflowX === "hidden";
  const found =
    document.documentElement.scrollWidth > width ? [`the page: ${document.documentElement.scrollWidth}`] : [];
  for (const element of document.body.querySelectorAll<HTMLElement>("*")) {
    // A carousel continues beyond its edge.
    if (element.closest('[aria-roledescription="carousel"]')) continue;
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    const { overflowX, position } = getComputedStyle(element);
    if (/auto|scroll/.test(overflowX) && element.scrollWidth > element.clientWidth)
      found.push(`inside ${name(element)}`);
    const { left, right, width: own, height } = element.getBoundingClientRect();
    const isThere = own > 1 && height > 1 && position !== "absolute";
    if (isThere && (left < -1 || right > width + 1) && !element.closest("svg, .sr-only") && !isCut(element)) {
      found.push(`${name(element)} from ${Math.round(left)} to ${Math.round(right)}`);
    }
  }
  return found;
}

/** All layout shifts since the page was opened: the value, the elements, and where they moved from and to. */
export function readLayoutShifts(page: Page): Promise<string[]> {
  return page.evaluate(
    () =>
      new Promise<string[]>((resolve) => {
        const found: string[] = [];
        const at = ({ x, y, width, height }: DOMRectReadOnly) => [x, y, width, height].map(Math.round).join(" ");
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries() as (PerformanceEntry & LayoutShiftEntry)[]) {
            const moved = entry.sources.map(({ node, previousRect, currentRect }) => {
              const name =
                node instanceof Element ? node.outerHTML.slice(0, 60) : (node?.textContent?.slice(0, 40) ?? "gone");
              return `${name} ${at(previousRect)} > ${at(currentRect)}`;
            });
            found.push(`${entry.value.toFixed(5)}: ${moved.join(", ")}`);
          }
        }).observe({ type: "layout-shift", buffered: true });
        // After two frames and 300 ms the last shifts are reported. Chromium may draw no frame for a tab that it takes for hidden.
        requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => resolve(found), 300)));
        setTimeout(() => resolve(found), 3_000);
      }),
  );
}

/** An entry of type "layout-shift" (W3C Layout Instability). */
type LayoutShiftEntry = {
  value: number;
  sources: { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[];
};

/** Running animations that take more than 10 ms, delays not counted, and playing videos. Runs in the page. */
export function listMovingElements(): string[] {
  const animations = document.getAnimations().filter(({ playState, effect }) => {
    const { activeDuration } = effect?.getComputedTiming() ?? {};
    return playState === "running" && Number(activeDuration) > 10;
  });
  const names = animations.map(({ effect }) => (effect as KeyframeEffect).target?.outerHTML.slice(0, 120) ?? "");
  const videos = [...document.querySelectorAll("video")]
    .filter(({ paused }) => !paused)
    .map(({ outerHTML }) => outerHTML.slice(0, 120));
  return [...names, ...videos];
}

/** Targets of less than 44 by 44 pixels (WCAG 2.5.5). Runs in the page. */
export function listSmallTargets(): string[] {
  const targets = [...document.querySelectorAll<HTMLInputElement>("a, button, input, select, textarea, summary")];
  return (
    targets
      // The skip link gets its size with the focus. No one sees the field that only bots fill in.
      .filter((element) => element.checkVisibility() && element.getAttribute("href") !== "#content")
      .filter((element) => !element.closest("[aria-hidden]"))
      // Pressing its label presses a checkbox.
      .map((element) => ({ element, target: (element.matches("[type=checkbox]") && element.labels?.[0]) || element }))
      .map(({ element, target }) => ({ element, box: target.getBoundingClientRect() }))
      .filter(({ box }) => box.width < 44 || box.height < 44)
      .map(({ element, box }) => `${element.textContent || element.id} ${box.width} x ${box.height}`)
  );
}
