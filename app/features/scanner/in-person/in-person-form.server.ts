import { randomUUID } from "node:crypto";

import type { RouterContextProvider } from "react-router";

import { hashConsentText } from "#app/features/leads/consent/consent-data.server.ts";
import { inPersonText } from "#app/features/leads/consent/consent-text.ts";
import { hasServices } from "#app/features/leads/consent/services-data.server.ts";
import { findRetentionMonths } from "#app/features/leads/data.server.ts";
import { listCardNames, listOwnTags } from "#app/features/leads/inbox/inbox-data.server.ts";
import { plainLine } from "#app/services/base/plain-text.ts";
import { isEqualText } from "#app/services/base/signed-token.server.ts";
import { requireUser, services } from "#app/services/http/context.ts";
import type { Services } from "#app/services/http/context.ts";

import { emptyContact } from "./in-person-fields.ts";
import type { ContactConsent, TypedContact } from "./in-person-fields.ts";

/** What the form needs, the same for a lead that is typed and one that is read from a card. */
export type ContactFormData = {
  cards: { id: string; name: string }[];
  ownTags: string[];
  consent: ContactConsent;
  stamp: string;
  values: TypedContact;
};

/** `query` may name the card and the tags, which stay the same from one lead to the next at a fair. */
export async function loadContactForm(
  context: Readonly<RouterContextProvider>,
  { displayName, query }: { displayName: string; query: URLSearchParams },
): Promise<ContactFormData> {
  const { db, sign } = services(context);
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
  return {
    cards,
    ownTags,
    consent: { text, hash: hashConsentText(text) },
    stamp: makeContactStamp(sign, { ownerId, id: randomUUID() }),
    values: { ...emptyContact, card: card?.id ?? "", tags },
  };
}

/** In UTF-16 code units: as long as all tags that are allowed. */
const maxTagsLength = 700;

/** The id that the form's lead will have, signed for its owner: however often the form is sent, it creates one lead. */
function makeContactStamp(sign: Services["sign"], { ownerId, id }: { ownerId: string; id: string }): string {
  return `${id}.${sign("lead in person", `${ownerId}\n${id}`)}`;
}

/** The id in a stamp that we made for this owner; undefined for any other text. */
export function readContactStamp(sign: Services["sign"], ownerId: string, stamp: string): string | undefined {
  const [id = ""] = stamp.split(".", 1);
  return /^[\da-f-]{36}$/.test(id) && isEqualText(stamp, makeContactStamp(sign, { ownerId, id })) ? id : undefined;
}
