import type { BrowserContextOptions, Page } from "playwright-core";
import { expect, test } from "vitest";

import { findAxeViolations } from "#tests/support/browser/axe.ts";
import { desktop, expectFocus, openSite, phone, openPage } from "#tests/support/browser/site.ts";
import type { Tab } from "#tests/support/browser/site.ts";
import { makeCard, openUser } from "#tests/support/browser/users.ts";

const site = openSite();

async function openCard(device: BrowserContextOptions = desktop) {
  const tab = await openUser(site, device);
  const id = await makeCard(tab.context, site.program, { company: "Analytical Engines" });
  return { tab, id };
}

/** A page of the same user, in another browser or in another window of this one. */
async function openAt({ context, page }: Tab, path: string, where: "browser" | "window") {
  const other =
    where === "window"
      ? await site.openBeside({ context, page, requests: [], consoleErrors: [] })
      : await site.open({ ...desktop, storageState: await context.storageState() });
  const connected = other.page.waitForResponse((response) => response.url().endsWith("/events"));
  connected.catch(() => undefined);
  await openPage(other.page, path);
  return { ...other, connected };
}

const company = (page: Page) => page.getByLabel("Company", { exact: true });
const title = (page: Page) => page.getByLabel("Profession / Title");
const notice = (page: Page) => page.getByText("This card was saved in another window.");
const save = (page: Page) => page.getByRole("button", { name: "Save Changes" }).click();
const isUpdated = (page: Page) => page.getByText("Business card updated successfully.").waitFor();
const reload = (page: Page) => page.getByRole("button", { name: "Reload" }).click();

test("an editor whose card is saved elsewhere says so, and loads or keeps it without losing what was typed", async () => {
  const { tab, id } = await openCard(phone);
  const { page: there } = tab;
  const { page: here, connected } = await openAt(tab, `/cards/edit/${id}`, "browser");
  expect((await connected).status()).toBe(200);
  await openPage(there, `/cards/edit/${id}`);

  await title(here).fill("Typed here");
  await company(there).fill("Saved there");
  await save(there);
  await notice(here).waitFor();
  expect(await findAxeViolations(here)).toEqual([]);
  await reload(here);
  await notice(here).waitFor({ state: "detached" });
  await expect.poll(() => company(here).inputValue()).toBe("Saved there");
  expect(await title(here).inputValue()).toBe("Typed here");
  // Its own save is no save elsewhere.
  await save(here);
  await isUpdated(here);
  await notice(there).waitFor();
  expect(await notice(here).count()).toBe(0);

  // A save merges what the other one changed, without a question.
  await company(there).fill("Saved there again");
  await save(there);
  await expect.poll(() => title(there).inputValue()).toBe("Typed here");
  expect(await there.getByText("You have unsaved changes.", { exact: true }).count()).toBe(0);
  await company(here).fill("Also typed here");
  await here.getByRole("button", { name: "Keep what’s here" }).click();
  await notice(here).waitFor({ state: "detached" });

  // What a refused save sent stays when the card is loaded again.
  await title(there).fill("Saved there, too");
  await save(there);
  await notice(here).waitFor();
  await save(here);
  const question = here.getByRole("region", { name: "This card was also changed in another tab or on another device" });
  await expectFocus(question);
  await question.getByText("Saved there again").waitFor();
  await reload(here);
  await expect.poll(() => title(here).inputValue()).toBe("Saved there, too");
  expect(await company(here).inputValue()).toBe("Also typed here");
  await save(here);
  await question.getByRole("radio", { name: /^Yours/ }).check();
  await question.getByRole("button", { name: "Save with these choices" }).click();
  await question.waitFor({ state: "detached" });
  await here.reload();
  expect(await company(here).inputValue()).toBe("Also typed here");
  expect(await title(here).inputValue()).toBe("Saved there, too");
});

test("the list of cards follows another window, over one connection for both", async () => {
  const { tab, id } = await openCard();
  const first = await openAt(tab, "/profile", "window");
  await first.connected;
  const second = await openAt(tab, `/cards/edit/${id}`, "window");
  // It waits for the first one's lock.
  const countWaiting = async () => (await navigator.locks.query()).pending?.length;
  await expect.poll(() => second.page.evaluate(countWaiting)).toBe(1);
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
