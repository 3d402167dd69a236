import { z } from "zod";

import { DestinationError } from "#app/features/integrations/destination-request.server.ts";
import { bearer, readJson } from "#app/features/integrations/destination.ts";
import type { Contact, CopyRequest, Destination, NamedRequest } from "#app/features/integrations/destination.ts";

const api = "https://people.googleapis.com/v1";
/** An answer with more would be cut. */
const pageSize = 200;
const updated = "names,emailAddresses,phoneNumbers,organizations,urls,biographies";

const person = z.object({ resourceName: z.string().regex(/^people\/\w+$/) });
const source = z.looseObject({ type: z.string(), etag: z.string().optional() });
const personWithSources = person.extend({ metadata: z.object({ sources: z.array(source) }) });
const marks = z.array(z.object({ key: z.string().optional(), value: z.string().optional() }));
const connections = z.object({
  connections: z.array(person.extend({ clientData: marks.optional() })).optional(),
  nextPageToken: z.string().optional(),
});

/** https://developers.google.com/people/v1/contacts */
export const google: Destination = {
  kind: "google",
  name: "Google Contacts",
  about: "Adds your leads to your contacts at Google, and so to Android phones and Gmail.",
  audience: "contacts",
  fields: [],
  oauth: {
    client: "google",
    authorizeUrl: "https://accounts.google.com/o/oauth2/v2/auth",
    tokenUrl: "https://oauth2.googleapis.com/token",
    contactsScope: "https://www.googleapis.com/auth/contacts",
    scopes: [],
    // Only a consent that is asked for brings a refresh token.
    parameters: { access_type: "offline", prompt: "consent", include_granted_scopes: "true" },
  },
  target: ({ account = "" }) => account,
  async test({ settings, send }) {
    const url = `${api}/people/me/connections?personFields=metadata&pageSize=1&fields=totalItems`;
    await send({ method: "GET", url, headers: bearer(settings) });
    return settings["account"] ?? "";
  },
  findNamed: findMarked,
  async copy(request) {
    const { settings, send, contact, name, known } = request;
    if (known) return (await change(request, known.id)) ? known.id : undefined;
    const answer = await send({
      method: "POST",
      url: `${api}/people:createContact?personFields=metadata`,
      headers: bearer(settings),
      body: { ...toPerson(contact), clientData: [{ key: markKey, value: name }] },
    });
    return idOf(person.parse(readJson(answer)));
  },
  async remove({ settings, send, known }) {
    const url = `${api}/people/${known.id}:deleteContact`;
    await send({ method: "DELETE", url, headers: bearer(settings), accepts: [404] });
    return "removed";
  },
};

/** Google has no ids of ours, so each contact carries one. */
const markKey = "meishi";

function idOf({ resourceName }: z.infer<typeof person>): string {
  return resourceName.slice("people/".length);
}

/** There is no search for it. Needed only after an answer that was lost. */
async function findMarked({ settings, send, name }: NamedRequest): Promise<string | undefined> {
  const fields = "connections(resourceName,clientData(key,value)),nextPageToken";
  const query = { personFields: "clientData", pageSize: String(pageSize), fields, prettyPrint: "false" };
  for (let pageToken = ""; ;) {
    const search = new URLSearchParams({ ...query, ...(pageToken && { pageToken }) });
    const url = `${api}/people/me/connections?${search.toString()}`;
    const page = connections.parse(readJson(await send({ method: "GET", url, headers: bearer(settings) })) ?? {});
    const found = page.connections?.find(({ clientData }) =>
      clientData?.some(({ key, value }) => key === markKey && value === name),
    );
    if (found) return idOf(found);
    if (!page.nextPageToken) return undefined;
    pageToken = page.nextPageToken;
  }
}

/** False when the contact is gone. */
async function change({ settings, send, contact }: CopyRequest, id: string): Promise<boolean> {
  const url = `${api}/people/${id}`;
  const headers = bearer(settings);
  const answer = await send({ method: "GET", url: `${url}?personFields=metadata`, headers, accepts: [404] });
  if (answer.status === 404) return false;
  const { metadata } = personWithSources.parse(readJson(answer));
  const sources = metadata.sources.filter(({ type }) => type === "CONTACT");
  const body = { ...toPerson(contact), metadata: { sources } };
  const update = `${url}:updateContact?updatePersonFields=${updated}&personFields=metadata`;
  const { status, ...rest } = await send({ method: "PATCH", url: update, headers, body, accepts: [400, 404] });
  if (status === 400) {
    // The source has another etag.
    const isLate = rest.text.includes("FAILED_PRECONDITION");
    const text = isLate ? "The contact was changed at the same time." : "Google doesn’t accept this contact.";
    throw new DestinationError(isLate ? "later" : "rejected", text, { status });
  }
  return status !== 404;
}

/** https://developers.google.com/people/api/rest/v1/people#Person */
function toPerson({ firstName, lastName, emails, phones, company, title, website, note, tags }: Contact) {
  const notes = [note, tags.join(", ")].filter(Boolean).join("\n\n");
  const list = (values: readonly string[]) => values.map((value) => ({ value }));
  return {
    names: [{ givenName: firstName, familyName: lastName }],
    emailAddresses: list(emails),
    phoneNumbers: list(phones),
    organizations: company || title ? [{ name: company, title }] : [],
    urls: list(website ? [website] : []),
    biographies: notes === "" ? [] : [{ value: notes, contentType: "TEXT_PLAIN" }],
  };
}
