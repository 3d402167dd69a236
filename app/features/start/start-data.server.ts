import { findPlan } from "#app/features/billing/data.server.ts";
import { includesAccent } from "#app/features/cards/card-design.ts";
import type { CardDesign } from "#app/features/cards/card-design.ts";
import { cardStyle } from "#app/features/cards/card-style.ts";
import type { CardStyle } from "#app/features/cards/card-view-model.ts";
import { createCard, findOwnCard, listCards, saveCard } from "#app/features/cards/data.server.ts";
import { deriveCardId } from "#app/features/cards/code-data.server.ts";
import { newCard } from "#app/features/cards/rules.ts";
import type { Card, CardInput } from "#app/features/cards/schema.ts";
import { profileLinks } from "#app/features/links/schema.ts";
import { selectCardLinks } from "#app/features/links/tab-rules.ts";
import { findProfile, saveProfile } from "#app/features/profile/data.server.ts";
import type { Profile, ProfileChange } from "#app/features/profile/data.server.ts";
import { findFreeHandle } from "#app/features/profile/handle/handle-data.server.ts";
import type { Db } from "#app/services/database/database.server.ts";
import type { Services } from "#app/services/http/context.ts";

import { draftDesign } from "./draft-card.server.ts";
import type { DraftCard } from "./draft-card.server.ts";
import { checkContact, withLink } from "./schema.ts";
import type { ContactErrors, ContactValues, NameChange } from "./schema.ts";

export type StartStep = "name" | "contact" | "done";

/** The first step that isn't done, and the card that the steps made. An owner with a card is done, wherever it was made. */
export async function findStart(db: Db, profile: Profile): Promise<{ step: StartStep; card: Card | undefined }> {
  const cards = await listCards(db, profile.ownerId);
  const card = cards.find(({ id }) => id === startCardId(profile.ownerId));
  if (cards.length > 0) return { step: "done", card };
  return { step: isNamed(profile) ? "contact" : "name", card: undefined };
}

/** Whether the owner saved their profile. Until then its name is a part of their email address. */
export function isNamed({ version }: Pick<Profile, "version">): boolean {
  return version > firstVersion;
}

const firstVersion = 1;

/** The same for each attempt, so that the steps make one card, however often and from how many tabs they are sent. */
function startCardId(ownerId: string): string {
  return deriveCardId(ownerId, "start");
}

/** The link of the second step, on the card and on the profile. */
export function startLinkId(ownerId: string): string {
  return deriveCardId(ownerId, "start link");
}

type WriteDeps = Pick<Services, "db" | "events" | "clock">;
type CardDeps = WriteDeps & Pick<Services, "rateLimits" | "config">;

export type SaveNameResult = { kind: "saved" | "handle-taken" | "too-many-handles" | "gone" | "busy" };

/** Saves the name and the handle. A suggested handle that is taken gets a number, and doesn't replace one that the owner has. */
export async function saveName(deps: WriteDeps, ownerId: string, change: NameChange): Promise<SaveNameResult> {
  const { db } = deps;
  const { displayName, isSuggested } = change;
  const suggested = isSuggested && change.handle ? await findFreeHandle(db, { ownerId, handle: change.handle }) : "";
  return changeProfile(deps, ownerId, ({ handle }) => ({
    displayName,
    handle: isSuggested ? handle || suggested : change.handle,
  }));
}

/** Changes some fields of the profile, whatever else is saved in the meantime. */
async function changeProfile(
  { db, events, clock }: WriteDeps,
  ownerId: string,
  change: (profile: Profile) => Partial<ProfileChange>,
): Promise<SaveNameResult> {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const profile = await findProfile(db, ownerId);
    if (!profile) return { kind: "gone" };
    const { version } = profile;
    const save = { ownerId, version, change: { ...profile, ...change(profile) }, now: clock() };
    const result = await saveProfile({ db, events }, save);
    if (result.kind !== "conflict") return result;
  }
  return { kind: "busy" };
}

/** Each conflict is another save that went through. */
const maxAttempts = 5;

export type SaveContactResult =
  | { kind: "saved" }
  | { kind: "invalid"; errors: ContactErrors }
  /** The owner made another card in the meantime, and their plan allows no further one. */
  | { kind: "limit" }
  /** They created too many cards; epoch milliseconds. */
  | { kind: "rate-limited"; until: number; limit: string }
  | { kind: "gone" | "busy" };

type StartCardRequest = {
  ownerId: string;
  /** Undefined creates the card without them. */
  contact: ContactValues | undefined;
  draft: DraftCard | undefined;
};

/** How visitors see the card of the steps, or the one that they are about to make. */
export async function startCardStyle(
  deps: Pick<Services, "db" | "clock" | "config">,
  { ownerId, theme }: Pick<Profile, "ownerId" | "theme">,
  design: CardDesign,
): Promise<CardStyle> {
  return cardStyle(design, { theme, plan: await findPlan(deps, ownerId) });
}

/** Creates the card of the steps, or changes it when it exists. The first link also goes to the profile. */
export async function saveStartCard(deps: CardDeps, request: StartCardRequest): Promise<SaveContactResult> {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const result = await tryToSaveCard(deps, request);
    if (result.kind === "conflict") continue;
    if (result.kind !== "saved" || !request.contact) return result;
    return saveProfileLink(deps, request.ownerId, request.contact);
  }
  return { kind: "busy" };
}

async function tryToSaveCard(
  deps: CardDeps,
  { ownerId, contact, draft }: StartCardRequest,
): Promise<SaveContactResult | { kind: "conflict" }> {
  const { db, events, clock } = deps;
  const now = clock();
  const id = startCardId(ownerId);
  const [profile, current] = await Promise.all([findProfile(db, ownerId), findOwnCard(db, { ownerId, id })]);
  if (!profile) return { kind: "gone" };
  if (current && !contact) return { kind: "saved" };
  const plan = await findPlan(deps, ownerId);
  const { maxLinks } = plan;
  const card = current ?? firstCard(profile, { draft, now, hasLink: !!contact?.link, maxLinks });
  const checked = contact
    ? checkContact(card, { typed: contact, linkId: startLinkId(ownerId), maxLinks })
    : { change: card };
  if ("errors" in checked) return { kind: "invalid", errors: checked.errors };
  const { change } = checked;
  if (current) {
    const saved = await saveCard({ db, events }, { ownerId, id, version: current.version, change, now });
    return saved.kind === "saved" ? { kind: "saved" } : { kind: "conflict" };
  }
  const design = includesAccent(plan, change.design.accent) ? change.design : { ...change.design, accent: "" };
  const created = await createCard(deps, { ownerId, plan, id, change: { ...change, design }, now });
  if (created.kind === "created") return { kind: "saved" };
  return created.kind === "exists" ? { kind: "conflict" } : created;
}

/** With the profile's links, room for the one that was typed, and the texts and design of the draft. */
function firstCard(profile: Profile, { draft, now, hasLink, maxLinks }: FirstCardOptions): CardInput {
  const links = selectCardLinks(profile.links, now).slice(0, hasLink ? maxLinks - 1 : maxLinks);
  const card = newCard({ displayName: profile.displayName, links, maxLinks });
  if (!draft) return card;
  return {
    ...card,
    profession: draft.title,
    company: draft.company,
    design: draftDesign(draft),
  };
}

type FirstCardOptions = { draft: DraftCard | undefined; now: number; hasLink: boolean; maxLinks: number };

async function saveProfileLink(
  deps: CardDeps,
  ownerId: string,
  { link: typed }: ContactValues,
): Promise<SaveContactResult> {
  const id = startLinkId(ownerId);
  const [profile, { maxLinks }] = await Promise.all([findProfile(deps.db, ownerId), findPlan(deps, ownerId)]);
  const change = ({ links }: Profile) => withLink(links, { id, typed, maxLinks, toLink: toProfileLink(id) });
  if (!profile || JSON.stringify(change(profile)) === JSON.stringify(profile.links)) return { kind: "saved" };
  const { kind } = await changeProfile(deps, ownerId, (current) => ({ links: profileLinks.parse(change(current)) }));
  return { kind: kind === "gone" || kind === "busy" ? kind : "saved" };
}

function toProfileLink(id: string) {
  return ({ url, label }: { url: string; label: string }, link: Profile["links"][number] | undefined) => ({
    ...(link ?? { id, on: true, from: null, until: null, tab: null, kind: "link" as const }),
    url,
    label,
  });
}
