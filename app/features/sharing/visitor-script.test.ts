import { createContext, runInContext } from "node:vm";
import { gzipSync } from "node:zlib";

import { describe, expect, test, vi } from "vitest";

import { cleanUpAfterTest } from "#tests/support/cleanup.ts";

import { visitorScript } from "./visitor-script.ts";

describe("the script of a public page", () => {
  test("is small and safe inside a script element", () => {
    expect(gzipSync(visitorScript, { level: 9 }).length).toBeLessThanOrEqual(1024);
    expect(visitorScript).not.toMatch(/<\/script|<!--/i);
  });

  test("reports a followed link with its card, also one opened with the middle button, but not its context menu", () => {
    const page = openPage();
    const report = ["/count", { subject: "card:c1", target: "link-1", kind: "click" }];
    page.click({ target: "link-1" });
    page.click({ target: "link-1" }, { type: "auxclick", button: 1 });
    page.click({ target: "link-1" }, { type: "auxclick", button: 2 });
    // Links that aren't counted.
    page.click({});
    page.click({ toast: "Contact Downloaded|vCard saved to your device." });
    expect(page.beacons).toEqual([report, report]);
  });

  test("shows one toast at a time, for five seconds", () => {
    vi.useFakeTimers();
    cleanUpAfterTest(() => vi.useRealTimers());
    const page = openPage();
    page.click({ toast: "One|" });
    vi.advanceTimersByTime(4_000);
    page.click({ toast: "Contact Downloaded|vCard saved to your device." });
    vi.advanceTimersByTime(4_900);
    expect(page.toast()).toBe("Contact Downloaded /vCard saved to your device.");
    vi.advanceTimersByTime(200);
    expect(page.toast()).toBe("");
  });

  test("opens the share sheet of the device, and leaves the button to its panel without one", () => {
    const url = "https://meishi.example/card/c1";
    expect(openPage().click({ share: url }).wasStopped).toBe(false);
    const share = vi.fn<(given: unknown) => Promise<void>>(() => Promise.resolve());
    expect(openPage({ share }).click({ share: url }).wasStopped).toBe(true);
    expect(share).toHaveBeenCalledWith({ title: "Demo User", url });
  });

  test("opens the panel when the share sheet fails, but not when the visitor closes it", async () => {
    const failing = openPage({ share: () => Promise.reject(new DOMException("", "NotAllowedError")) });
    failing.click({ share: "https://meishi.example/card/c1" });
    await vi.waitFor(() => expect(failing.opened).toEqual(["card-share"]));

    const closed = openPage({ share: () => Promise.reject(new DOMException("", "AbortError")) });
    closed.click({ share: "https://meishi.example/card/c1" });
    // After all reactions to the rejected promise.
    await new Promise(setImmediate);
    expect(closed.opened).toEqual([]);
  });

  test("shows the copy button only if copying works, and copies the URL", async () => {
    expect(openPage().shownButtons).toBe(0);
    const writeText = vi.fn<(given: unknown) => Promise<void>>(() => Promise.resolve());
    const page = openPage({ clipboard: { writeText } });
    expect(page.shownButtons).toBe(1);
    page.click({ copy: "https://meishi.example/card/c1", toast: "Link copied" });
    expect(writeText).toHaveBeenCalledWith("https://meishi.example/card/c1");
    await vi.waitFor(() => expect(page.toast()).toBe("Link copied /"));
  });

  test("says what to do when the browser refuses to copy", async () => {
    const page = openPage({ clipboard: { writeText: () => Promise.reject(new Error("denied")) } });
    page.click({ copy: "https://meishi.example/card/c1", toast: "Link copied" });
    await vi.waitFor(() => expect(page.toast()).toBe("Couldn't copy /Copy the link manually."));
  });
});

/** The parts of a browser that the script uses. tests/browser runs it in a real browser. */
function openPage(navigator: Record<string, unknown> = {}) {
  const beacons: [string, unknown][] = [];
  const opened: string[] = [];
  const listeners = new Map<string, (event: unknown) => void>();
  const root = { dataset: { subject: "card:c1" } };
  let shownButtons = 0;
  const element = (dataset: Record<string, string> = {}) => ({
    dataset,
    children: [] as Child[],
    isConnected: false,
    append(...more: Child[]) {
      this.children.push(...more);
    },
    replaceChildren(...all: Child[]) {
      this.children = all;
    },
    setAttribute: () => undefined,
    getAttribute: (name: string) => (name === "popovertarget" ? "card-share" : null),
    closest(selector: string) {
      if (selector === "[data-subject]") return root;
      return Object.keys(dataset).some((name) => selector.includes(`[data-${name}]`)) ? this : null;
    },
  });
  let toast: Child | undefined;
  const document = {
    title: "Demo User",
    createElement: (tag: string) => (tag === "p" ? (toast = element()) : element()),
    addEventListener: (type: string, listener: (event: unknown) => void) => listeners.set(type, listener),
    querySelector: () => ({ append: () => undefined }),
    querySelectorAll: () => [{ removeAttribute: () => shownButtons++ }],
    getElementById: (id: string) => ({ showPopover: () => opened.push(id) }),
  };
  const sendBeacon = (path: string, body: string) => beacons.push([path, JSON.parse(body)]);
  runInContext(
    visitorScript,
    createContext({ document, setTimeout, clearTimeout, navigator: { sendBeacon, ...navigator } }),
  );
  const texts = (node: Child): string => (typeof node === "string" ? node : node.children.map(texts).join("/"));
  return {
    beacons,
    opened,
    shownButtons,
    toast: () => (toast ? texts(toast) : ""),
    click(dataset: Record<string, string>, { type = "click", button = 0 } = {}) {
      const target = element(dataset);
      let wasStopped = false;
      listeners.get(type)?.({ target, button, preventDefault: () => (wasStopped = true) });
      return { wasStopped };
    },
  };
}

type Child = string | { children: Child[] };
