import type { Locator, Page, Request } from "playwright-core";
import { describe, expect, test } from "vitest";

import { blockScripts, boxOf, desktop, openSite } from "#tests/support/browser/site.ts";
import { signUp } from "#tests/support/browser/users.ts";

const site = openSite();

/** When the press lands. What is typed is typed before any script has run. */
const moments = ["before any script", "before React has hydrated", "before React's effects have run"] as const;
type Moment = (typeof moments)[number];
/** Before any script, a browser submits a plain form and follows a link by itself. */
const momentsWithScript = moments.slice(1);

const saves = [
  {
    form: "a new card",
    path: "/cards/edit",
    when: moments,
    type: (page: Page) => page.getByLabel("Company").fill("Engines"),
    button: "Save Changes",
    isSaved: (page: Page) => page.getByText("Engines").first().waitFor(),
  },
  {
    form: "the preferences",
    path: "/account/preferences",
    when: momentsWithScript,
    type: (page: Page) => page.getByLabel("Time zone").selectOption("Europe/Berlin"),
    button: "Save preferences",
    isSaved: async (page: Page) => {
      await page.reload();
      expect(await page.getByLabel("Time zone").inputValue()).toBe("Europe/Berlin");
    },
  },
];

/** A page of a new user. */
async function openTab(path: string) {
  const { page, context } = await site.open(desktop);
  await signUp(context, site.program, `${crypto.randomUUID()}@example.com`);
  return { page, early: await openEarly(page, path) };
}

describe.each(saves)("one press saves $form with what was typed early", ({ path, when, type, button, isSaved }) => {
  test.for(when)("%s", async (moment) => {
    const { page, early } = await openTab(path);
    await type(page);
    await page.getByRole("button", { name: button }).scrollIntoViewIfNeeded();
    await early.startUntil(moment);
    const posts = recordRequests(page, (request) => request.method() === "POST");
    await press(page, page.getByRole("button", { name: button }));
    await expect.poll(() => posts.length).toBe(1);
    await early.letGo();
    await page.getByText(/Preferences saved|Business card created successfully/).waitFor();
    await isSaved(page);
    expect(posts).toHaveLength(1);
  });
});

describe("one early press", () => {
  test.for(moments)("chooses a theme beside what was typed: %s", async (moment) => {
    const { page, early } = await openTab("/profile");
    await page.getByLabel("Bio").fill("Typed early");
    const ocean = page.getByRole("radio", { name: /^Ocean/ });
    await ocean.scrollIntoViewIfNeeded();
    await early.startUntil(moment);
    await press(page, ocean);
    await early.letGo();
    await page.getByText("You have unsaved changes.", { exact: true }).waitFor();
    await page.frameLocator("iframe").getByText("Typed early").waitFor();
    await page.getByRole("button", { name: "Save & Close" }).click();
    await page.waitForURL("**/u/*");
    await page.goto("/profile");
    expect(await page.getByLabel("Bio").inputValue()).toBe("Typed early");
    expect(await ocean.isChecked()).toBe(true);
  });

  test.for(momentsWithScript)("follows a link: %s", async (moment) => {
    const { page, early } = await openTab("/account/preferences");
    await early.startUntil(moment);
    const visits = recordRequests(page, (request) => /^\/account(\.data)?$/.test(new URL(request.url()).pathname));
    await press(page, page.getByRole("main").getByRole("link", { name: "Account", exact: true }));
    await expect.poll(() => visits.length).toBe(1);
    await early.letGo();
    await page.waitForURL("**/account");
    expect(visits).toHaveLength(1);
  });
});

/** Opens a page whose scripts wait: all of them, then React's tasks. */
async function openEarly(page: Page, path: string) {
  const allowScripts = await blockScripts(page);
  const hold = (until: "hydration" | "effects") =>
    page.evaluate((held) => {
      const post = MessagePort.prototype.postMessage;
      const tasks: (() => void)[] = [];
      let isHeld = true;
      const isHydrated = () => {
        const elements = document.querySelectorAll("body *:not(script)");
        return Object.keys(elements[elements.length - 1] ?? {}).some((key) => key.startsWith("__react"));
      };
      MessagePort.prototype.postMessage = function (this: MessagePort, message: unknown) {
        const send = () => post.call(this, message);
        if (!isHeld || (held === "effects" && !isHydrated())) return send();
        tasks.push(send);
        document.documentElement.dataset["held"] = "";
      };
      addEventListener("let-go", () => {
        isHeld = false;
        for (const send of tasks.splice(0)) send();
      });
    }, until);
  await page.goto(path, { waitUntil: "commit" });
  await page.locator("#end").waitFor({ state: "attached" });
  // Chromium drops presses on a page that it hasn't painted, and the places of buttons are only true then.
  await page.waitForFunction(() => performance.getEntriesByName("first-contentful-paint").length > 0);
  return {
    async startUntil(moment: Moment) {
      if (moment === "before any script") return;
      await hold(moment === "before React has hydrated" ? "hydration" : "effects");
      allowScripts();
      await page.waitForFunction(() => document.documentElement.dataset["held"] === "");
    },
    async letGo() {
      allowScripts();
      await page.evaluate(() => dispatchEvent(new Event("let-go"))).catch(() => undefined);
    },
  };
}

function recordRequests(page: Page, isRecorded: (request: Request) => boolean): string[] {
  const found: string[] = [];
  page.on("request", (request) => {
    if (isRecorded(request)) found.push(`${request.resourceType()} ${request.url()}`);
  });
  return found;
}

/** As a person's finger: once, at one place, for a tenth of a second. */
async function press(page: Page, target: Locator): Promise<void> {
  const { x, y, width, height } = await boxOf(target);
  await page.mouse.click(x + width / 2, y + height / 2, { delay: 100 });
}
