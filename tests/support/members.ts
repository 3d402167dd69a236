import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as pause } from "node:timers/promises";

import type { APIResponse, BrowserContext } from "playwright-core";

import type { Program } from "./program.ts";

export const password = "tea with Charles";

/** An account, made as a person makes one: the form, the mail, its link. `context` is then signed in. */
export async function signUp(context: BrowserContext, { url }: Program, email: string) {
  await post(context, { url, path: "/auth?tab=signup", form: { intent: "sign-up", email, password } });
  const link = await mailedLink(context, { url, to: email });
  const profile = await (await context.request.get(link)).text();
  const id = /href="\/u\/([0-9a-f-]{36})"/.exec(profile)?.[1];
  if (!id) throw new Error(`${email} is not signed in after ${link}`);
  return { id, email, state: await context.storageState() };
}

/** The link in the newest mail to somebody, which this has not answered before. */
export async function mailedLink(context: BrowserContext, { url, to }: { url: string; to: string }): Promise<string> {
  // Mails are sent in the background; the page is asked until there is one.
  for (const end = Date.now() + 20_000; Date.now() < end; await pause(20)) {
    const box = await (await context.request.get(`${url}/dev/mail`)).text();
    const rows = box.matchAll(/href="(\/dev\/mail\/[^"]+)".*?<\/a>/gs);
    const path = [...rows].find(([row]) => row.includes(to))?.[1];
    const mail = path && (await (await context.request.get(url + path)).text());
    const link = mail && /href="(http[^"]+\/(?:auth\/confirm|reset-password)[^"]*)"/.exec(mail)?.[1];
    if (!link || answered.has(link)) continue;
    answered.add(link);
    return link.replaceAll("&amp;", "&");
  }
  throw new Error(`No mail to ${to}`);
}

const answered = new Set<string>();

type ProfileWords = {
  displayName?: string;
  bio?: string;
  handle?: string;
  theme?: string;
  links?: { label: string; url: string; isOff?: boolean }[];
};

/** Saves the profile's form. */
export async function saveProfile(context: BrowserContext, { url }: Program, words: ProfileWords): Promise<void> {
  const { displayName = "", bio = "", handle = "", theme = "default", links = [] } = words;
  const page = await (await context.request.get(`${url}/profile`)).text();
  const version = /name="version" value="(\d+)"/.exec(page)?.[1] ?? "";
  const form: Record<string, string> = {
    version,
    displayName,
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
  expectRedirect(await post(context, { url, path: "/profile", form }), "the profile");
}

type CardWords = Partial<
  Record<"card_name" | "email" | "phone" | "profession" | "company" | "position" | "years_experience", string>
> & { links?: { name: string; url: string }[]; isPrivate?: boolean };

/** Makes a card through its form; answers its id. */
export async function makeCard(context: BrowserContext, { url }: Program, words: CardWords): Promise<string> {
  const { links = [], isPrivate, ...lines } = words;
  const form: Record<string, string> = { card_name: "My Business Card", ...lines };
  if (!isPrivate) form["is_public"] = "on";
  for (const [index, link] of links.entries()) {
    form[`links.${index}.name`] = link.name;
    form[`links.${index}.url`] = link.url;
  }
  const answer = await post(context, { url, path: "/cards/edit", form });
  return expectRedirect(answer, "the card").split("/").at(-1) ?? "";
}

/** Premium from now on: nobody can buy it yet. */
export function makePremium({ dataDir }: Program, userId: string): void {
  withDatabase(dataDir, (database) =>
    database.prepare("insert into subscription (user_id, plan, ends_at) values (?, 'premium', null)").run(userId),
  );
}

/** An account whose address is not confirmed (any more), and that is signed in all the same. */
export function unconfirm({ dataDir }: Program, userId: string): void {
  withDatabase(dataDir, (database) => database.prepare('update "user" set emailVerified = 0 where id = ?').run(userId));
}

/** A card of which the database has only rubbish left: whoever opens it sees the page of a crash. */
export function spoilCard({ dataDir }: Program, cardId: string): void {
  withDatabase(dataDir, (database) =>
    database.prepare("update card set professional_links = '[' where id = ?").run(cardId),
  );
}

/** What was counted of a card ("card:…") or a profile ("profile:…"): "click github" -> 1. */
export function readTally({ dataDir }: Program, subject: string): Record<string, number> {
  return withDatabase(dataDir, (database) => {
    const rows = database.prepare(
      "select kind, source, target, sum(n) as n from tally where subject = ? group by 1, 2, 3",
    );
    const named = rows.all(subject).map(({ kind, source, target, n }) => {
      return [[kind, source, target].filter(Boolean).join(" "), Number(n)];
    });
    return Object.fromEntries(named) as Record<string, number>;
  });
}

function withDatabase<T>(dataDir: string, work: (database: DatabaseSync) => T): T {
  const database = new DatabaseSync(join(dataDir, "meishi.db"), { timeout: 5_000 });
  try {
    return work(database);
  } finally {
    database.close();
  }
}

type Sent = { url: string; path: string; form: Record<string, string> };

function post(context: BrowserContext, { url, path, form }: Sent): Promise<APIResponse> {
  return context.request.post(url + path, { form, headers: { origin: url }, maxRedirects: 0 });
}

function expectRedirect(answer: APIResponse, what: string): string {
  const location = answer.headers()["location"];
  if (answer.status() !== 302 || !location) throw new Error(`${answer.status()}: ${what} was not saved`);
  return location;
}
