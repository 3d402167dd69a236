import type { z } from "zod";

import { findPlan } from "#app/features/billing/data.server.ts";
import { plans } from "#app/features/billing/rules.ts";
import type { Plan } from "#app/features/billing/rules.ts";
import { messages as linkMessages } from "#app/features/links/messages.ts";
import { linkLimit } from "#app/features/links/rules.ts";
import { ensureProfile } from "#app/features/profile/data.server.ts";
import { ApiProblem, beyondPlan, checkVersion, invalid, notFound, tooMany } from "#app/services/api/problem.ts";
import { operation } from "#app/services/api/resource.ts";
import type { Call, Resource } from "#app/services/api/resource.ts";
import { pageOf, pageQuery, toPage } from "#app/services/api/schemas.ts";
import { formatWait } from "#app/services/base/format.ts";
import { transact } from "#app/services/database/database.server.ts";
import { lockOwner } from "#app/services/database/owner-lock.server.ts";
import type { Services } from "#app/services/http/context.ts";

import { cardPath } from "#app/features/cards/address-rules.ts";
import { includesAccent } from "#app/features/cards/card-design.ts";
import { deriveCardId } from "#app/features/cards/code-data.server.ts";
import {
  createCard,
  deleteCard,
  findOwnCard,
  listCards,
  setPaused,
  writeCard,
} from "#app/features/cards/data.server.ts";
import { cardLimitMessage } from "#app/features/cards/limit-messages.ts";
import { listChangeMessages } from "#app/features/cards/list-messages.ts";
import { serverMessages } from "#app/features/cards/messages.ts";
import { newCard } from "#app/features/cards/rules.ts";
import type { CardInput } from "#app/features/cards/schema.ts";

import { cardChangeBody, cardOutput, newCardBody, shareOutput, toCardOutput } from "./card-schema.ts";

type Change = z.output<typeof cardChangeBody>;

/** The card with what was sent; a list replaces the whole list. */
function applyChange(card: CardInput, change: Omit<Change, "isPaused">): CardInput {
  const sent = defined(change);
  const links = change.links?.map((link) => ({ ...link, id: link.id || crypto.randomUUID() }));
  return {
    ...card,
    ...sent,
    ...(links && { links }),
    address: { ...card.address, ...defined(change.address ?? {}) },
    design: { ...card.design, ...defined(change.design ?? {}) },
  };
}

function defined<Values extends object>(values: Values) {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Object.fromEntries() doesn't know the keys' types.
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [Key in keyof Values]?: Exclude<Values[Key], undefined>;
  };
}

/** The plan decides which accents can be chosen; the stored one always can. */
async function checkAccent(
  services: Services,
  { ownerId, accent, stored = "" }: { ownerId: string; accent: string; stored?: string },
): Promise<void> {
  if (accent === stored || includesAccent(plans.free, accent)) return;
  if (includesAccent(await findPlan(services, ownerId), accent)) return;
  throw beyondPlan([{ pointer: "/design/accent", message: serverMessages.accentIsPremium }]);
}

/** How many links a card may have: what the plan includes, or what is stored. */
async function checkLinks(services: Services, { ownerId, links, stored }: CheckLinksOptions): Promise<void> {
  // The smallest limit of all plans.
  if (links.length <= plans.free.maxLinks || links.length <= stored) return;
  const plan = await findPlan(services, ownerId);
  if (links.length > linkLimit(plan, stored))
    throw beyondPlan([{ pointer: "/links", message: linkMessages.tooMany(plan.maxLinks) }]);
}

type CheckLinksOptions = { ownerId: string; links: CardInput["links"]; stored: number };

async function create(services: Services, call: Call<unknown, unknown, z.output<typeof newCardBody>>) {
  const { owner, body, callId } = call;
  const { userId, ...change } = body;
  if (userId !== undefined && userId !== owner.id)
    throw new ApiProblem(
      "wrong_owner",
      "userId is another account's. Leave it out, or send the id of the key's account.",
    );
  const now = services.clock();
  const profile = await ensureProfile(services, { id: owner.id, email: owner.email, name: owner.name, now });
  if (!profile) throw notFound("account");
  const names = (await listCards(services.db, owner.id)).map(({ cardName }) => cardName);
  const input = applyChange(newCard({ displayName: profile.displayName, links: [], names }), change);
  await checkAccent(services, { ownerId: owner.id, accent: input.design.accent });
  await checkLinks(services, { ownerId: owner.id, links: input.links, stored: 0 });
  const plan = await findPlan(services, owner.id);
  const id = deriveCardId(owner.id, callId);
  const created = await createCard(services, { ownerId: owner.id, plan, id, change: input, now });
  switch (created.kind) {
    case "gone":
      throw notFound("account");
    case "limit":
      throw new ApiProblem("plan_limit", limitText(plan, services));
    case "rate-limited":
      throw tooMany(listChangeMessages.tooManyNew(formatWait(created.until, now)), { until: created.until, now });
    case "created":
    case "exists":
      return respondWith(services, owner.id, id);
  }
}

function limitText(plan: Plan, { config }: Services): string {
  const { title, text } = cardLimitMessage(plan, config.premium === "sold");
  return `${title}. ${text}`;
}

async function respondWith(services: Services, ownerId: string, id: string) {
  const card = await findOwnCard(services.db, { ownerId, id });
  if (!card) throw notFound("card");
  return { body: toCardOutput(card, services.config.baseUrl), version: card.version, location: `/cards/${id}` };
}

async function change(services: Services, { owner, params, body, version }: Call<{ id: string }, unknown, Change>) {
  const own = { ownerId: owner.id, id: params.id };
  if (Object.keys(body).length === 0) throw invalid([{ pointer: "", message: "Send at least one field." }]);
  const before = await findOwnCard(services.db, own);
  if (!before) throw notFound("card");
  const after = applyChange(before, body);
  await checkAccent(services, { ownerId: owner.id, accent: after.design.accent, stored: before.design.accent });
  await checkLinks(services, { ownerId: owner.id, links: after.links, stored: before.links.length });
  await transact(services.db, async (trx) => {
    await lockOwner(trx, owner.id);
    const current = await findOwnCard(trx, own);
    if (!current) throw notFound("card");
    checkVersion("card", current.version, version);
    const { isPaused, ...written } = body;
    if (Object.keys(written).length > 0)
      await writeCard(trx, services.events, { ...own, change: applyChange(current, written), now: services.clock() });
    if (isPaused !== undefined) await setPaused(trx, services.events, { ...own, isPaused });
  });
  const { location: _, ...result } = await respondWith(services, owner.id, params.id);
  return result;
}

export const cardResource: Resource = {
  name: "cards",
  title: "Cards",
  description: "Business cards. A card has an address of its own, a QR code and a contact file.",
  operations: [
    operation({
      id: "listCards",
      method: "GET",
      path: "/cards",
      summary: "List your cards",
      description: "In the order that you chose; by default the newest first.",
      scope: "cards:read",
      query: pageQuery,
      response: { status: 200, schema: pageOf(cardOutput, "CardPage") },
      tool: { name: "list_cards", description: "Lists the owner's business cards with all their fields." },
      async run({ db, config }, { owner, query }) {
        const cards = await listCards(db, owner.id);
        return toPage(
          cards.map((card) => toCardOutput(card, config.baseUrl)),
          query,
        );
      },
    }),
    operation({
      id: "getCard",
      method: "GET",
      path: "/cards/{id}",
      summary: "Get a card",
      scope: "cards:read",
      isVersioned: true,
      response: { status: 200, schema: cardOutput },
      async run(services, { owner, params }) {
        const { location: _, ...result } = await respondWith(services, owner.id, params.id);
        return result;
      },
    }),
    operation({
      id: "createCard",
      method: "POST",
      path: "/cards",
      summary: "Create a card",
      description: "POST /cards, without /api/v1, is the same operation. The Free plan includes one card.",
      scope: "cards:write",
      isVersioned: true,
      problems: ["plan_limit", "wrong_owner"],
      body: newCardBody,
      response: { status: 201, schema: cardOutput },
      tool: { name: "create_card", description: "Creates a business card." },
      run: create,
    }),
    operation({
      id: "updateCard",
      method: "PATCH",
      path: "/cards/{id}",
      summary: "Change a card",
      description: "Fields that aren't sent stay as they are; a list replaces the whole list.",
      scope: "cards:write",
      isVersioned: true,
      problems: ["plan_limit", "version_conflict"],
      body: cardChangeBody,
      response: { status: 200, schema: cardOutput },
      tool: { name: "update_card", description: "Changes fields of a business card. A list replaces the whole list." },
      run: change,
    }),
    operation({
      id: "getShareLinks",
      method: "GET",
      path: "/cards/{id}/share",
      summary: "Get the links and QR codes of a card",
      description: "They work for visitors while the card is public and not paused.",
      scope: "cards:read",
      response: { status: 200, schema: shareOutput },
      tool: { name: "get_share_links", description: "Returns the link, the QR code and the contact file of a card." },
      async run({ db, config }, { owner, params }) {
        const card = await findOwnCard(db, { ownerId: owner.id, id: params.id });
        if (!card) throw notFound("card");
        const url = config.baseUrl + cardPath(card);
        const files = { qrCodeSvg: `${url}/qr.svg`, qrCodePng: `${url}/qr.png`, contactFile: `${url}/contact.vcf` };
        return { body: { url, ...files, isPublic: card.isPublic && !card.isPaused } };
      },
    }),
    operation({
      id: "deleteCard",
      method: "DELETE",
      path: "/cards/{id}",
      summary: "Delete a card",
      description: "With its logo, its pass and the leads that came in through it.",
      scope: "cards:write",
      problems: ["version_conflict"],
      response: { status: 204 },
      async run(services, { owner, params, version }) {
        const own = { ownerId: owner.id, id: params.id };
        const card = await findOwnCard(services.db, own);
        if (card) checkVersion("card", card.version, version);
        if (!card || !(await deleteCard(services, own))) throw notFound("card");
        return {};
      },
    }),
  ],
};
