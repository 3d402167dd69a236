import { randomUUID } from "node:crypto";

import type { RouterContextProvider } from "react-router";

import { hashConsentText } from "#app/features/leads/consent-data.server.ts";
import { inPersonText } from "#app/features/leads/consent-text.ts";
import { hasServices } from "#app/features/leads/services-data.server.ts";
import { findRetentionMonths } from "#app/features/leads/data.server.ts";
import { listCardNames, listOwnTags } from "#app/features/leads/inbox/inbox-data.server.ts";
import { maxOfflineMs } from "#app/features/leads/rules.ts";
import { plainLine } from "#app/services/base/plain-text.ts";
import { isSigned } from "#app/services/base/signed-token.server.ts";
import { requireUser, services } from "#app/services/http/context.ts";
import type { Services } from "#app/services/http/context.ts";

import { emptyContact } from "./in-person-fields.ts";
import type { ContactConsent, TypedContact } from "./in-person-fields.ts";

/** What the form needs, the same for a lead that is typed and one that is read from a card. */
export type ContactFormData = {
  cards: { id: string; name: string }[];
  ownTags: string[];
  consent: ContactConsent;
  formToken: string;
  values: TypedContact;
};

/** `query` may name the card, the tags and the text that was confirmed: they stay the same from one lead to the next at an event. */
export async function loadContactForm(
  context: Readonly<RouterContextProvider>,
  { displayName, query }: { displayName: string; query: URLSearchParams },
): Promise<ContactFormData> {
  const { db, sign, clock } = services(context);
  const ownerId = requireUser(context).id;
  const [cards, ownTags, months, passesOn] = await Promise.all([
    listCardNames(db, ownerId),
    listOwnTags(db, ownerId),
    findRetentionMonths(db, ownerId),
    hasServices(db, ownerId),
  ]);
  const text = inPersonText({ displayName, months, hasServices: passesOn });
  const card = cards.find(({ id }) => id === query.get("card")) ?? cards[0];
  const tags = plainLine((query.get("tags") ?? "").slice(0, maxTagsLength));
  const hash = hashConsentText(text);
  // Another text has to be confirmed again.
  const agreed = query.get("agreed") === hash ? hash : "";
  return {
    cards,
    ownTags,
    consent: { text, hash },
    formToken: makeContactToken(sign, { ownerId, id: randomUUID(), openedAt: clock() }),
    values: { ...emptyContact, card: card?.id ?? "", tags, agreed },
  };
}

/** In UTF-16 code units: as long as all tags that are allowed. */
const maxTagsLength = 700;

type ContactToken = { ownerId: string; id: string; openedAt: number };

/** The id that the form's lead will have, and when it was opened, signed for its owner: however often the form is sent, it creates one lead. */
function makeContactToken(sign: Services["sign"], { ownerId, id, openedAt }: ContactToken): string {
  return `${id}.${openedAt}.${sign("lead in person", `${ownerId}\n${id}.${openedAt}`)}`;
}

/**
 * The id in a token that we made for this owner; undefined for any other text. Also for one that is older than the hash of a lead that was
 * erased since: the form could bring it back.
 */
export function readContactToken(
  { sign, clock }: Pick<Services, "sign" | "clock">,
  ownerId: string,
  token: string,
): string | undefined {
  const [id = "", time = ""] = token.split(".", 3);
  if (!/^[\da-f-]{36}$/.test(id) || !/^\d{1,15}$/.test(time)) return undefined;
  const openedAt = Number(time);
  if (clock() - openedAt > maxOfflineMs) return undefined;
  return isSigned(sign, token, (one) => makeContactToken(one, { ownerId, id, openedAt })) ? id : undefined;
}
