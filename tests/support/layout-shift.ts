import type { Page } from "playwright-core";

/** What has moved by itself since the page was opened, in the last moment as well: how far (as a layout shift's value), what, from and to where. */
export function layoutShifts(page: Page): Promise<string[]> {
  return page.evaluate(
    () =>
      new Promise<string[]>((resolve) => {
        const found: string[] = [];
        const at = ({ x, y, width, height }: DOMRectReadOnly) => [x, y, width, height].map(Math.round).join(" ");
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries() as (PerformanceEntry & Shift)[]) {
            const moved = entry.sources.map(({ node, previousRect, currentRect }) => {
              const name =
                node instanceof Element ? node.outerHTML.slice(0, 60) : (node?.textContent?.slice(0, 40) ?? "gone");
              return `${name} ${at(previousRect)} > ${at(currentRect)}`;
            });
            found.push(`${entry.value.toFixed(5)}: ${moved.join(", ")}`);
          }
        }).observe({ type: "layout-shift", buffered: true });
        // Two frames and a while: what loaded last is then drawn, and reported.
        requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => resolve(found), 300)));
      }),
  );
}

/** W3C, Layout Instability: an entry of "layout-shift". */
type Shift = {
  value: number;
  sources: { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[];
};
