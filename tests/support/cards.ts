import { readToast } from "#app/services/toast.server.ts";

import type { TestApp } from "./test-app.ts";
import type { Visitor } from "./visitor.ts";

type Person = Visitor;

/** A card's form, filled in. */
export const cardFields = {
  card_name: "My Business Card",
  profession: "Mathematician",
  company: "Analytical Engines",
  position: "Head of Research",
  email: "ada@example.com",
  phone: "+44 20 7946 0000",
  years_experience: "12",
  "links.0.name": "Notes",
  "links.0.url": "ada.example/notes",
  is_public: "on",
};

/** Gives the only person there is the Premium plan. */
export async function upgrade(person: Person, { db }: TestApp["services"]) {
  await person.get("/profile");
  const { user_id } = await db.selectFrom("profile").select("user_id").executeTakeFirstOrThrow();
  await db.insertInto("subscription").values({ user_id, plan: "premium", ends_at: null }).execute();
}

/** Through the form, as a person does; the card's id. */
export async function makeCard(person: Person, more: Record<string, string> = {}): Promise<string> {
  const made = await person.post("/cards/edit", { ...cardFields, ...more });
  const id = /^\/cards\/edit\/(.+)$/.exec(made.headers.get("location") ?? "")?.[1];
  if (!id) throw new Error(`No card was made: ${made.status} ${made.headers.get("location")}`);
  return id;
}

/** The message that waits for the next page. */
export function toastOf(person: Person) {
  return readToast(`meishi.toast=${person.cookies.get("meishi.toast")}`);
}

/** What a field of a page holds. */
export function valueOf(page: string, name: string): string {
  const input = page.match(/<input[^>]*>/g)?.find((tag) => tag.includes(` name="${name}"`));
  return /\svalue="([^"]*)"/.exec(input ?? "")?.[1] ?? "";
}
