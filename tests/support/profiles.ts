import type { Services } from "#app/services/context.ts";

import type { Visitor } from "./visitor.ts";

/** The editor's form as a browser sends it, with links 0, 1, … of `links`. */
export function profileForm(
  change: Record<string, string> = {},
  links: { id?: string; label: string; url: string; on?: boolean }[] = [],
): Record<string, string> {
  const fields: Record<string, string> = {
    version: "1",
    displayName: "Ada Lovelace",
    bio: "Notes on the engine.",
    handle: "",
    theme: "default",
    showBusinessCard: "on",
  };
  for (const [index, { id = "", label, url, on = true }] of links.entries()) {
    Object.assign(fields, { [`links.${index}.id`]: id, [`links.${index}.label`]: label, [`links.${index}.url`]: url });
    if (on) fields[`links.${index}.on`] = "on";
  }
  return { ...fields, ...change };
}

/** The id of whoever is signed in, from where their editor leads back to. */
export async function idOf(person: Pick<Visitor, "get">): Promise<string> {
  const page = await (await person.get("/profile")).text();
  const id = /href="\/u\/([^"/]+)"/.exec(page)?.[1];
  if (!id) throw new Error("The editor shows no way back to the public profile");
  return id;
}

/** Makes somebody a Premium subscriber, as billing will. */
export async function makePremium({ db }: Pick<Services, "db">, userId: string, endsAt: number | null = null) {
  await db.insertInto("subscription").values({ user_id: userId, plan: "premium", ends_at: endsAt }).execute();
}

/** The tags of a page that send a field of this name. */
export function fieldsOf(page: string, name: string): string[] {
  return [...page.matchAll(/<(?:input|button|textarea)[^>]*>/g)]
    .map(([tag]) => tag)
    .filter((tag) => tag.includes(` name="${name}"`));
}
