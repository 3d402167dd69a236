import { z } from "zod";

import { bearer, readJson } from "#app/features/integrations/destination.ts";
import type {
  Contact,
  CopyRequest,
  Destination,
  NamedRequest,
  Settings,
} from "#app/features/integrations/destination.ts";

const api = "https://graph.microsoft.com/v1.0/me/contacts";
const login = "https://login.microsoftonline.com/common/oauth2/v2.0";
const stored = z.object({ id: z.string().regex(/^[\w=+/-]+$/) });
const found = z.object({ value: z.array(stored) });

/** The name of our id on each contact: a property of its own, in a set that no one else has. */
const markId = "String {6f0c1c2e-5c1b-4a57-9e0b-8d9f4b8f2a31} Name meishi";

/** https://learn.microsoft.com/graph/api/resources/contact */
export const microsoft: Destination = {
  kind: "microsoft",
  name: "Microsoft 365",
  about: "Adds your leads to your contacts in Outlook, with a work, school or personal account.",
  audience: "contacts",
  fields: [],
  oauth: {
    client: "microsoft",
    authorizeUrl: `${login}/authorize`,
    tokenUrl: `${login}/token`,
    contactsScope: "https://graph.microsoft.com/Contacts.ReadWrite",
    scopes: ["profile", "offline_access"],
    parameters: { response_mode: "query", prompt: "select_account" },
  },
  target: ({ account = "" }) => account,
  async test({ settings, send }) {
    await send({ method: "GET", url: `${api}?$top=1&$select=id`, headers: headers(settings) });
    return settings["account"] ?? "";
  },
  findNamed: findMarked,
  async copy(request) {
    const { settings, send, contact, name, known } = request;
    if (known) return (await change(request, known.id)) ? known.id : undefined;
    const mark = { singleValueExtendedProperties: [{ id: markId, value: name }] };
    const body = { ...toContact(contact), ...mark };
    const answer = await send({ method: "POST", url: api, headers: headers(settings), body });
    return stored.parse(readJson(answer)).id;
  },
  async remove({ settings, send, known }) {
    await send({ method: "DELETE", url: urlOf(known.id), headers: headers(settings), accepts: [404] });
    return "removed";
  },
};

/** The id stays the same when the contact is moved to another folder. https://learn.microsoft.com/graph/outlook-immutable-id */
function headers(settings: Settings) {
  return { ...bearer(settings), prefer: 'IdType="ImmutableId"' };
}

function urlOf(id: string): string {
  return `${api}/${encodeURIComponent(id)}`;
}

/** False when the contact is gone. */
async function change({ settings, send, contact }: CopyRequest, id: string): Promise<boolean> {
  const request = { headers: headers(settings), body: toContact(contact), accepts: [404] };
  const { status } = await send({ method: "PATCH", url: urlOf(id), ...request });
  return status !== 404;
}

/** https://learn.microsoft.com/graph/api/singlevaluelegacyextendedproperty-get */
async function findMarked({ settings, send, name }: NamedRequest): Promise<string | undefined> {
  const filter = `singleValueExtendedProperties/Any(ep: ep/id eq '${markId}' and ep/value eq '${name}')`;
  const search = new URLSearchParams({ $filter: filter, $select: "id", $top: "1" });
  // Graph reads a plus sign as one.
  const url = `${api}?${search.toString().replaceAll("+", "%20")}`;
  const answer = await send({ method: "GET", url, headers: headers(settings) });
  return found.parse(readJson(answer)).value[0]?.id;
}

/** What is empty is null, which clears it. Outlook has room for three addresses, and for two numbers of a kind. */
function toContact({ firstName, lastName, emails, phones, company, title, website, note, tags }: Contact) {
  const name = [firstName, lastName].filter(Boolean).join(" ");
  return {
    givenName: firstName,
    surname: lastName,
    displayName: name,
    emailAddresses: emails.slice(0, 3).map((address) => ({ address, name: name || address })),
    businessPhones: phones.slice(0, 2),
    homePhones: phones.slice(2, 4),
    companyName: company || null,
    jobTitle: title || null,
    businessHomePage: website || null,
    personalNotes: note || null,
    categories: tags,
  };
}
