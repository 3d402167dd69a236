import { listChanges, readContacts } from "#app/features/address-book/contacts-data.server.ts";
import type { Contact } from "#app/features/address-book/contacts-data.server.ts";
import { davPaths } from "#app/features/address-book/rules.ts";
import type { Db } from "#app/services/database/database.server.ts";

import { contactPath, contactProperties, readContactName, readSyncToken, toSyncToken } from "./dav-properties.ts";
import { formatMultistatus, namespaces, readRequested } from "./dav-response.server.ts";
import type { MultistatusResponse, RequestedProperties } from "./dav-response.server.ts";
import { readFilter } from "./query-filter.ts";
import type { XmlElement } from "./xml-parser.ts";

/** What a report responds with: a multistatus, or the precondition that isn't met. */
export type ReportResult = { multistatus: string } | { precondition: string };

type Report = { db: Db; ownerId: string; element: XmlElement };

/** Runs a report on the address book; for any other one, says that it isn't supported. */
export async function runReport(report: Report): Promise<ReportResult> {
  const { namespace, name } = report.element;
  if (namespace === namespaces.d && name === "sync-collection") return synchronize(report);
  if (namespace === namespaces.card && name === "addressbook-multiget") return getContacts(report);
  if (namespace === namespaces.card && name === "addressbook-query") return queryContacts(report);
  return { precondition: "d:supported-report" };
}

/**
 * RFC 6578 §3.2: what has changed since a sync token, or without one everything. A contact that is gone has the status 404, also one that this
 * client never saw.
 */
async function synchronize({ db, ownerId, element }: Report): Promise<ReportResult> {
  const token = childText(element, "sync-token");
  const since = token === "" ? undefined : (readSyncToken(token) ?? -1);
  const changes = await listChanges(db, { ownerId, since });
  if (!changes) return { precondition: "d:valid-sync-token" };
  const requested = readRequested(element);
  const changed = hasAddressData(requested)
    ? [...(await readResponses(readContacts(db, ownerId, namesOf(changes.contacts)))).values()]
    : changes.contacts.map(toResponse);
  const responses = [...changed, ...changes.removed.map((name) => ({ href: contactPath(name) }))];
  return { multistatus: formatMultistatus(responses, { requested, syncToken: toSyncToken(changes.revision) }) };
}

/** RFC 6352 §8.7: the contacts with these addresses. */
async function getContacts({ db, ownerId, element }: Report): Promise<ReportResult> {
  const hrefs = element.children.filter(({ name }) => name === "href").map(({ text }) => text.trim());
  const names = [...new Set(hrefs.flatMap((href) => readContactName(href) ?? []))];
  const found = await readResponses(readContacts(db, ownerId, names));
  const responses = [...new Set(hrefs)].map((href) => ({ ...found.get(readContactName(href) ?? ""), href }));
  return { multistatus: formatMultistatus(responses, { requested: readRequested(element) }) };
}

/** RFC 6352 §8.6: the contacts that match a filter. */
async function queryContacts({ db, ownerId, element }: Report): Promise<ReportResult> {
  const matches = readFilter(element);
  if (typeof matches === "string") return { precondition: matches };
  const limit = element.children.find(({ name }) => name === "limit");
  const most = limit ? Number(childText(limit, "nresults")) || 0 : Infinity;
  const all = (await listChanges(db, { ownerId }))?.contacts ?? [];
  const responses: MultistatusResponse[] = [];
  for await (const contacts of readContacts(db, ownerId, namesOf(all)))
    responses.push(...contacts.filter(({ vcard }) => matches(vcard)).map(toResponse));
  // RFC 6352 §8.6.2
  if (responses.length > most)
    responses.splice(most, Infinity, { href: davPaths.book, status: "507 Insufficient Storage" });
  return { multistatus: formatMultistatus(responses, { requested: readRequested(element) }) };
}

function hasAddressData(requested: RequestedProperties): boolean {
  return typeof requested !== "string" && requested.some(({ name }) => name === "address-data");
}

function toResponse(contact: { name: string; revision: number; vcard?: string }): MultistatusResponse {
  return { href: contactPath(contact.name), properties: contactProperties(contact) };
}

function namesOf(contacts: readonly { name: string }[]): string[] {
  return contacts.map(({ name }) => name);
}

/** The responses by the names of the contacts. They are formatted page by page, because the vCards of all take a while. */
async function readResponses(pages: AsyncGenerator<Contact[]>): Promise<Map<string, MultistatusResponse>> {
  const responses = new Map<string, MultistatusResponse>();
  for await (const page of pages) for (const contact of page) responses.set(contact.name, toResponse(contact));
  return responses;
}

function childText(element: XmlElement, name: string): string {
  return element.children.find((child) => child.name === name)?.text.trim() ?? "";
}
