import type { BrowserContextOptions, Page } from "playwright-core";
import { describe, expect, test } from "vitest";

import { findAxeViolations } from "#tests/support/browser/axe.ts";
import { desktop, openSite, phone, waitForHydration } from "#tests/support/browser/site.ts";
import type { Tab } from "#tests/support/browser/site.ts";
import { makeCard, signUp } from "#tests/support/browser/users.ts";

const site = openSite();

async function openCard(device: BrowserContextOptions = desktop) {
  const tab = await site.open(device);
  await signUp(tab.context, site.program, `${crypto.randomUUID()}@example.com`);
  const id = await makeCard(tab.context, site.program, { company: "Analytical Engines" });
  return { tab, id };
}

/** A page of the same user, in another browser or in another window of this one. */
async function openAt({ context, page }: Tab, path: string, where: "browser" | "window") {
  const other =
    where === "window"
      ? await site.openBeside({ context, page, requests: [], consoleErrors: [] })
      : await site.open({ ...desktop, storageState: await context.storageState() });
  const connected = other.page.waitForResponse((response) => response.url().endsWith("/events"), { timeout: 20_000 });
  await other.page.goto(path);
  await waitForHydration(other.page);
  return { ...other, connected };
}

const notice = (page: Page) => page.getByText("This card was saved in another window.");
const save = (page: Page) => page.getByRole("button", { name: "Save Changes" }).click();

describe("an editor whose card is saved elsewhere", () => {
  test("says so, and loads it without losing what was typed", async () => {
    const { tab, id } = await openCard();
    const here = await openAt(tab, `/cards/edit/${id}`, "browser");
    expect((await here.connected).status()).toBe(200);
    await here.page.getByLabel("Profession / Title").fill("Typed here");
    await tab.page.goto(`/cards/edit/${id}`);
    await waitForHydration(tab.page);
    await tab.page.getByLabel("Company", { exact: true }).fill("Saved there");
    await save(tab.page);
    await notice(here.page).waitFor();
    expect(await findAxeViolations(here.page)).toEqual([]);
    await here.page.getByRole("button", { name: "Reload" }).click();
    await notice(here.page).waitFor({ state: "detached" });
    await expect.poll(() => here.page.getByLabel("Company", { exact: true }).inputValue()).toBe("Saved there");
    expect(await here.page.getByLabel("Profession / Title").inputValue()).toBe("Typed here");
    // Its own save is no save elsewhere.
    await save(here.page);
    await here.page.getByText("Business card updated successfully.").waitFor();
    await notice(tab.page).waitFor();
    expect(await notice(here.page).count()).toBe(0);
  });

  test("can keep what is there, and the save asks about a field that was changed in both places", async () => {
    const { tab, id } = await openCard(phone);
    const here = await openAt(tab, `/cards/edit/${id}`, "browser");
    await here.connected;
    await here.page.getByLabel("Company", { exact: true }).fill("Typed here");
    await tab.page.goto(`/cards/edit/${id}`);
    await waitForHydration(tab.page);
    await tab.page.getByLabel("Company", { exact: true }).fill("Saved there");
    await save(tab.page);
    await here.page.getByRole("button", { name: "Keep what's here" }).click();
    await notice(here.page).waitFor({ state: "detached" });
    await tab.page.getByLabel("Company", { exact: true }).fill("Saved there again");
    await save(tab.page);
    await here.page.getByRole("button", { name: "Reload" }).click();
    await notice(here.page).waitFor({ state: "detached" });
    expect(await here.page.getByLabel("Company", { exact: true }).inputValue()).toBe("Typed here");
    await save(here.page);
    const question = here.page.getByRole("region", {
      name: "This card was also changed in another tab or on another device",
    });
    await question.getByText("Saved there again").waitFor();
  });

  test("keeps what a refused save sent when the card is loaded again", async () => {
    const { tab, id } = await openCard();
    const here = await openAt(tab, `/cards/edit/${id}`, "browser");
    await here.connected;
    const company = here.page.getByLabel("Company", { exact: true });
    await company.fill("Typed here");
    await tab.page.goto(`/cards/edit/${id}`);
    await waitForHydration(tab.page);
    await tab.page.getByLabel("Company", { exact: true }).fill("Saved there");
    await tab.page.getByLabel("Profession / Title").fill("Also saved there");
    await save(tab.page);
    await notice(here.page).waitFor();
    await save(here.page);
    const question = here.page.getByRole("region", { name: /^This card was also changed/ });
    await question.getByText("Saved there").waitFor();
    await here.page.getByRole("button", { name: "Reload" }).click();
    await expect.poll(() => here.page.getByLabel("Profession / Title").inputValue()).toBe("Also saved there");
    expect(await company.inputValue()).toBe("Typed here");
    await save(here.page);
    await question.getByRole("radio", { name: /^Yours/ }).check();
    await question.getByRole("button", { name: "Save with these choices" }).click();
    await here.page.getByText("Business card updated successfully.").waitFor();
    await here.page.reload();
    expect(await company.inputValue()).toBe("Typed here");
    expect(await here.page.getByLabel("Profession / Title").inputValue()).toBe("Also saved there");
  });
});

test("the list of cards follows another window, over one connection for both", async () => {
  const { tab, id } = await openCard();
  const first = await openAt(tab, "/profile", "window");
  await first.connected;
  const second = await openAt(tab, `/cards/edit/${id}`, "window");
  second.connected.catch(() => undefined);
  await second.page.waitForTimeout(4_000);
  await second.page.getByLabel("Card name").fill("Renamed card");
  await save(second.page);
  await first.page.getByText("Renamed card").first().waitFor();
  const connections = [first, second].flatMap(({ requests }) => requests.filter((url) => url.endsWith("/events")));
  expect(connections).toHaveLength(1);
  // The window that has the connection closes: the other one takes over.
  const taken = second.page.waitForRequest((request) => request.url().endsWith("/events"));
  await first.page.close();
  await taken;
});
