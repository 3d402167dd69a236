import type { APIResponse, BrowserContext, BrowserContextOptions } from "playwright-core";
import { vi } from "vitest";

import { fieldValue } from "#tests/support/app/cards.ts";
import { seededPassword } from "#tests/support/database/seed.ts";
import { codeOf } from "#tests/support/fixtures/authenticator-app.ts";
import { insertAccount } from "#tests/support/program/database.ts";
import type { Program } from "#tests/support/program/program.ts";

import type { Site } from "./site.ts";

/** An account with a profile, written into the program's database. `context` is then signed in. An older account loses the address. */
export async function signUp(context: BrowserContext, program: Program, email: string) {
  const { id, name, value } = await insertAccount(program, email);
  await context.addCookies([{ name, value, url: program.url }]);
  await context.request.get(`${program.url}/profile`);
  return { id, email, state: await context.storageState() };
}

/** A tab of a new user, who is signed in. */
export async function openUser(site: Site, options?: BrowserContextOptions) {
  const tab = await site.open(options);
  return { ...tab, ...(await signUp(tab.context, site.program, `${crypto.randomUUID()}@example.com`)) };
}

/** Waits for the newest mail to an address and returns its link; each link is returned once. */
export async function waitForMailLink(
  context: BrowserContext,
  { url, to }: { url: string; to: string },
): Promise<string> {
  // Mails are sent in the background.
  const findNewLink = async () => {
    const box = await (await context.request.get(`${url}/dev/mail`)).text();
    const rows = box.matchAll(/href="(\/dev\/mail\/[^"]+)".*?<\/a>/gs);
    const path = [...rows].find(([row]) => row.includes(to))?.[1];
    const mail = path ? await (await context.request.get(url + path)).text() : "";
    const [, link = ""] =
      /href="(http[^"]+\/(?:auth\/confirm|auth\/link|account\/email|reset-password)[^"]*)"/.exec(mail) ?? [];
    return usedLinks.has(link) ? "" : link;
  };
  // Also called in hooks, where expect.poll can't be used.
  const found = await vi.waitFor(
    async () => {
      const link = await findNewLink();
      if (link === "") throw new Error(`No mail to ${to}`);
      return link;
    },
    { timeout: 120_000, interval: 20 },
  );
  usedLinks.add(found);
  return found.replaceAll("&amp;", "&");
}

/** Sets up an authenticator app for an account with the seeded password; `context` is then signed in. Returns the app's key. */
export async function turnOnTwoStep(
  context: BrowserContext,
  { url, email }: { url: string; email: string },
): Promise<string> {
  const logIn = { intent: "log-in", email, password: seededPassword };
  expectRedirect(await postForm(context, { url, path: "/auth", form: logIn }), "the sign-in");
  const start = { url, path: "/account/two-step", form: { intent: "start-app" } };
  expectRedirect(await postForm(context, start), "the app");
  const page = await (await context.request.get(`${url}/account/two-step/app`)).text();
  const key = (/<code[^>]*>([A-Z2-7 ]+)<\/code>/.exec(page)?.[1] ?? "").replaceAll(" ", "");
  await postForm(context, { url, path: "/account/two-step/app", form: { code: codeOf(key) } });
  return key;
}

const usedLinks = new Set<string>();

type ProfileValues = {
  displayName?: string;
  bio?: string;
  handle?: string;
  theme?: string;
  links?: { label: string; url: string; isOff?: boolean }[];
};

/** Submits the profile form. Without a name in `words` the profile keeps its own. */
export async function saveProfile(context: BrowserContext, { url }: Program, words: ProfileValues): Promise<void> {
  const { bio = "", handle = "", theme = "default", links = [] } = words;
  const page = await (await context.request.get(`${url}/profile`)).text();
  const version = /name="version" value="(\d+)"/.exec(page)?.[1] ?? "";
  const form: Record<string, string> = {
    version,
    displayName: words.displayName ?? fieldValue(page, "displayName"),
    bio,
    handle,
    theme,
    showBusinessCard: "on",
    isListed: "on",
  };
  for (const [index, link] of links.entries()) {
    form[`links.${index}.label`] = link.label;
    form[`links.${index}.url`] = link.url;
    if (!link.isOff) form[`links.${index}.on`] = "on";
  }
  expectRedirect(await postForm(context, { url, path: "/profile", form }), "the profile");
}

type CardValues = Partial<
  Record<"card_name" | "email" | "phone" | "profession" | "company" | "position" | "years_experience", string> &
    Record<"accent" | "accent_color" | "layout" | "paper", string>
> & { links?: { name: string; url: string }[]; isPrivate?: boolean };

/** Creates a card through its form; returns its id. */
export async function makeCard(context: BrowserContext, { url }: Program, words: CardValues): Promise<string> {
  const { links = [], isPrivate, ...lines } = words;
  const form: Record<string, string> = { card_name: "My Business Card", ...lines };
  if (!isPrivate) form["is_public"] = "on";
  for (const [index, link] of links.entries()) {
    form[`links.${index}.name`] = link.name;
    form[`links.${index}.url`] = link.url;
  }
  const answer = await postForm(context, { url, path: "/cards/edit", form });
  const { pathname } = new URL(expectRedirect(answer, "the card"), url);
  return pathname.split("/").at(-1) ?? "";
}

/** The short address of a public card, read from its page. */
export async function findShortUrl(
  context: BrowserContext,
  { url, card }: { url: string; card: string },
): Promise<string> {
  const page = await (await context.request.get(`${url}/card/${card}`)).text();
  const found = /rel="canonical" href="([^"]*\/c\/\w{7})"/.exec(page)?.[1];
  if (!found) throw new Error(`The page of card ${card} has no short address.`);
  return found;
}

type FormPost = { url: string; path: string; form: Record<string, string> };

function postForm(context: BrowserContext, { url, path, form }: FormPost): Promise<APIResponse> {
  return context.request.post(url + path, { form, headers: { origin: url }, maxRedirects: 0 });
}

function expectRedirect(answer: APIResponse, what: string): string {
  const location = answer.headers()["location"];
  if (answer.status() !== 302 || !location) throw new Error(`${answer.status()}: ${what} was not saved`);
  return location;
}
