import { makePremium } from "./profiles.ts";
import { decodeToast } from "./responses.ts";
import type { TestApp } from "./test-app.ts";
import type { Visitor } from "./visitor.ts";

type TestUser = Visitor;

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

export async function makeOnlyUserPremium(person: TestUser, services: TestApp["services"]) {
  await person.get("/profile");
  const { owner_id } = await services.db.selectFrom("profile").select("owner_id").executeTakeFirstOrThrow();
  await makePremium(services, owner_id);
}

/** Creates a card through its form; returns its id. */
export async function makeCard(person: TestUser, more: Record<string, string> = {}): Promise<string> {
  const made = await person.post("/cards/edit", { ...cardFields, ...more });
  const id = /^\/cards\/edit\/(.+)\?tab=share$/.exec(made.headers.get("location") ?? "")?.[1];
  if (!id) throw new Error(`No card was made: ${made.status} ${made.headers.get("location")}`);
  return id;
}

/** The short address of a public card, read from its page: "/c/h7k2m9x". */
export async function shortPathOf(person: Pick<TestUser, "get">, id: string): Promise<string> {
  const page = await (await person.get(`/card/${id}`)).text();
  const path = /rel="canonical" href="[^"]*?(\/c\/\w+)"/.exec(page)?.[1];
  if (!path) throw new Error(`The page of card ${id} has no short address.`);
  return path;
}

export function pendingToast(person: TestUser) {
  return decodeToast(person.cookies.get("meishi.toast"));
}

/** What a form was opened with, which it sends to be merged with what others saved since. */
export function baseOf(page: string): string {
  return fieldValue(page, "base").replaceAll("&quot;", '"').replaceAll("&amp;", "&");
}

/** The value of an input on a page, escaped. */
export function fieldValue(page: string, name: string): string {
  const input = page.match(/<input[^>]*>/g)?.find((tag) => tag.includes(` name="${name}"`));
  return /\svalue="([^"]*)"/.exec(input ?? "")?.[1] ?? "";
}
