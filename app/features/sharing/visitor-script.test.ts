import { createContext, runInContext } from "node:vm";
import { gzipSync } from "node:zlib";

import { describe, expect, test, vi } from "vitest";

import { cleanUpAfterTest } from "#tests/support/cleanup.ts";

import { passVisitorScript, visitorScript } from "./visitor-script.ts";

describe("the script of a public page", () => {
  test("is small and safe inside a script element", () => {
    for (const [script, bytes] of [
      [visitorScript, 1024],
      [passVisitorScript, 1700],
    ] as const) {
      expect(gzipSync(script, { level: 9 }).length).toBeLessThanOrEqual(bytes);
      expect(script).not.toMatch(/<\/script|<!--/i);
    }
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

  test("marks what said so as done, so that the page can offer what comes next", () => {
    const page = openPage();
    const saved = { toast: "Contact Downloaded|vCard saved to your device." };
    page.click(saved);
    expect(saved).toHaveProperty("done", "");
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
    await vi.waitFor(() => expect(page.toast()).toBe("Couldn’t copy /Copy the link manually."));
  });
});

describe("the link to a wallet pass", () => {
  const ready = { success: true, passUrl: "https://meishi.example/c/1/pass.pkpass", androidUrl: null };
  const instructions = "Read docs/wallet.md.";
  const fallback = { passJson: { serialNumber: "c1" }, instructions };

  test.each([
    ["opens the pass once it is made", [200, ready], "Pass Ready /Look."],
    ["downloads what a pass is made of", [200, { success: false, fallback }], "Fallback /Downloaded."],
    ["says that a template is missing", [404, { error: "PassKit", instructions }], "Template /Console."],
    ["shows the server's error", [503, { success: false, error: "Too many." }], "Error /Too many."],
    ["says that it failed", [500, {}], "Error /Failed."],
    ["says that it failed without a connection", undefined, "Error /Failed."],
    ["says that it took too long", "aborted", "Error /Too late."],
  ] as const)("%s, on the same page", async (_, answer, toast) => {
    const console = { info: vi.fn<(text: string) => void>() };
    const fetch = vi.fn<(path: string, options: { signal: AbortSignal }) => Promise<object>>(async (_path, options) => {
      if (answer === "aborted") Object.defineProperty(options.signal, "aborted", { value: true });
      if (answer === undefined || answer === "aborted") throw new TypeError("no response");
      return { status: answer[0], json: async () => answer[1] };
    });
    const page = openPage({}, { fetch, console });
    const pressed = [1, 2].map(() => page.click({ pass: "/functions/v1/make", ready: "Pass Ready|Look." }));
    expect(pressed.map(({ wasStopped }) => wasStopped)).toEqual([true, true]);
    expect(page.label()).toBe("Creating...");
    await vi.waitFor(() => expect(page.toast()).toBe(toast));
    expect(fetch).toHaveBeenCalledTimes(1);
    expect(page.label()).toBe("Apple Wallet");
    const isReady = toast.startsWith("Pass");
    expect(page.visited).toEqual(isReady ? [ready.passUrl] : []);
    const isFallback = toast.startsWith("Fallback");
    expect(page.downloads).toEqual(isFallback ? [["wallet-pass.json", fallback.passJson]] : []);
    expect(console.info.mock.calls).toEqual(toast.startsWith("Template") ? [[instructions]] : []);
  });
});

const passTexts = {
  loading: "Creating...",
  failed: "Failed.",
  timedOut: "Too late.",
  templateRequired: "Template|Console.",
  fallback: "Fallback|Downloaded.",
  definitionName: "wallet-pass.json",
};

/** The parts of a browser that the script uses. tests/browser runs it in a real browser. */
function openPage(navigator: Record<string, unknown> = {}, more: Record<string, unknown> = {}) {
  const beacons: [string, unknown][] = [];
  const opened: string[] = [];
  const listeners: { type: string; run: (event: unknown) => void }[] = [];
  const send = (type: string, event: object) =>
    listeners.forEach((one) => one.type === type && one.run({ button: 0, preventDefault: () => undefined, ...event }));
  const root = { dataset: { subject: "card:c1", texts: JSON.stringify(passTexts) } };
  const visited: string[] = [];
  const downloads: [name: string, content: unknown][] = [];
  const label = {
    innerHTML: "Apple Wallet",
    set textContent(text: string) {
      this.innerHTML = text;
    },
  };
  const attributes = new Set<string>();
  let shownButtons = 0;
  const element = (dataset: Record<string, string | undefined> = {}) => ({
    dataset,
    children: [] as Child[],
    isConnected: false,
    append(...more: Child[]) {
      this.children.push(...more);
    },
    replaceChildren(...all: Child[]) {
      this.children = all;
    },
    lastElementChild: label,
    href: "",
    download: "",
    click() {
      if (this.download) downloads.push([this.download, JSON.parse(this.href)]);
      else send("click", { target: this });
    },
    after: () => undefined,
    remove: () => undefined,
    setAttribute: (name: string) => attributes.add(name),
    removeAttribute: (name: string) => attributes.delete(name),
    hasAttribute: (name: string) => attributes.has(name),
    getAttribute: (name: string) => (name === "popovertarget" ? "card-share" : null),
    closest(selector: string) {
      if (selector === "[data-subject]" || selector === "[data-texts]") return root;
      return Object.keys(dataset).some((name) => selector.includes(`[data-${name}]`)) ? this : null;
    },
  });
  let toast: Child | undefined;
  const document = {
    title: "Demo User",
    createElement: (tag: string) => (tag === "p" ? (toast = element()) : element()),
    addEventListener: (type: string, run: (event: unknown) => void) => listeners.push({ type, run }),
    querySelector: () => ({ append: () => undefined }),
    querySelectorAll: () => [{ removeAttribute: () => shownButtons++ }],
    getElementById: (id: string) => ({ showPopover: () => opened.push(id) }),
  };
  const sendBeacon = (path: string, body: string) => beacons.push([path, JSON.parse(body)]);
  runInContext(
    passVisitorScript,
    createContext({
      document,
      setTimeout,
      clearTimeout,
      AbortController,
      Blob: function (this: { text: string }, [text = ""]: string[]) {
        this.text = text;
      },
      URL: { createObjectURL: ({ text }: { text: string }) => text },
      location: { assign: (url: string) => visited.push(url) },
      navigator: { sendBeacon, ...navigator },
      ...more,
    }),
  );
  const texts = (node: Child): string => (typeof node === "string" ? node : node.children.map(texts).join("/"));
  return {
    beacons,
    opened,
    visited,
    downloads,
    label: () => label.innerHTML,
    shownButtons,
    toast: () => (toast ? texts(toast) : ""),
    click(dataset: Record<string, string>, { type = "click", button = 0 } = {}) {
      const target = element(dataset);
      let wasStopped = false;
      send(type, { target, button, preventDefault: () => (wasStopped = true) });
      return { wasStopped };
    },
  };
}

type Child = string | { children: Child[] };
