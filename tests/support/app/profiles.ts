import { grantPremium, revokeGrant } from "#app/features/billing/data.server.ts";
import { transact } from "#app/services/database/database.server.ts";
import type { Services } from "#app/services/http/context.ts";

import type { Visitor } from "./visitor.ts";

/** The profile form as a browser submits it, with the links numbered from 0. */
export function profileForm(change: Record<string, string> = {}, links: LinkFields[] = []): Record<string, string> {
  const fields: Record<string, string> = {
    version: "1",
    displayName: "Ada Lovelace",
    bio: "Notes on the engine.",
    handle: "",
    theme: "default",
    showBusinessCard: "on",
    isListed: "on",
  };
  for (const [index, { on = true, ...link }] of links.entries()) {
    const sent: Record<string, string | number | null | undefined> = { kind: "link", ...link };
    for (const field of linkFields) fields[`links.${index}.${field}`] = String(sent[field] ?? "");
    if (on) fields[`links.${index}.on`] = "on";
  }
  return { ...fields, ...change };
}

const texts = ["id", "kind", "tab", "picture", "alt", "utmSource", "utmMedium", "utmCampaign"] as const;
const linkFields = ["label", "url", "from", "until", ...texts] as const;

/** `from` and `until` in epoch milliseconds. */
type LinkFields = { label: string; url: string; on?: boolean; from?: number | null; until?: number | null } & Partial<
  Record<(typeof texts)[number], string | null | undefined>
>;

/** The id of the signed-in user, read from the editor's link to the profile. */
export async function userIdOf(person: Pick<Visitor, "get">): Promise<string> {
  const page = await (await person.get("/profile")).text();
  const path = /href="(\/u\/[^"/]+)"/.exec(page)?.[1];
  if (!path) throw new Error("The editor shows no way back to the public profile");
  if (/^\/u\/[\da-f-]{36}$/.test(path)) return path.slice("/u/".length);
  // The link has the handle, the page the id.
  const id = /data-subject="profile:([^"]+)"/.exec(await (await person.get(path)).text())?.[1];
  if (!id) throw new Error(`${path} shows no profile`);
  return id;
}

/** Gives a user the Premium plan, until `endsAt` or without an end. */
export async function makePremium(services: WriteDeps, ownerId: string, endsAt: number | null = null) {
  await transact(services.db, (trx) =>
    grantPremium(trx, services.events, { ownerId, endsAt, reason: "", grantedBy: "", now: Date.now() }),
  );
}

/** Takes the Premium plan back that `makePremium` gave. */
export async function makeFree({ db, events }: WriteDeps, ownerId: string) {
  await transact(db, (trx) => revokeGrant(trx, { events, now: Date.now() }, ownerId));
}

type WriteDeps = Pick<Services, "db" | "events">;

/** Records an event, after a test wrote to the owner's rows directly. */
export async function recordSave({ db, events }: WriteDeps, ownerId: string) {
  await transact(db, (trx) => events.record(trx, { kind: "profile.saved", ownerId }));
}

/** The tags on a page that submit a field with this name. */
export function tagsNamed(page: string, name: string): string[] {
  return [...page.matchAll(/<(?:input|button|textarea)[^>]*>/g)]
    .map(([tag]) => tag)
    .filter((tag) => tag.includes(` name="${name}"`));
}
