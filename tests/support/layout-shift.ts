import type { Page } from "playwright-core";

/** The sum of all layout shifts since the page was opened, those of the last moment as well. */
export function layoutShift(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let sum = 0;
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) if ("value" in entry) sum += Number(entry.value);
        }).observe({ type: "layout-shift", buffered: true });
        // Two frames and a while: what loaded last is then drawn, and reported.
        requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => resolve(sum), 300)));
      }),
  );
}
