import { bookName, davPaths } from "#app/features/address-book/rules.ts";

import { escapeXml } from "./xml-parser.ts";
import type { Properties } from "./dav-response.server.ts";

const href = (path: string) => `<d:href>${path}</d:href>`;

/** What every resource has. RFC 3744 §5.4: no one may write. */
const common: Properties = {
  "d:current-user-principal": href(davPaths.principal),
  "d:principal-collection-set": href(davPaths.home),
  "d:owner": href(davPaths.principal),
  "d:current-user-privilege-set": "<d:privilege><d:read/></d:privilege>",
};

/** The home of the address book. Programs that start here find the rest. */
export const homeProperties: Properties = {
  ...common,
  "d:resourcetype": "<d:collection/>",
  "d:displayname": "Meishi",
  "d:supported-report-set": "",
  "card:addressbook-home-set": href(davPaths.home),
};

/** RFC 6352 §7.1. `email`: of the owner. */
export function principalProperties(email: string): Properties {
  return {
    ...homeProperties,
    "d:resourcetype": "<d:collection/><d:principal/>",
    "d:displayname": escapeXml(email),
    "d:principal-URL": href(davPaths.principal),
  };
}

export const reportNames = ["card:addressbook-multiget", "card:addressbook-query", "d:sync-collection"] as const;

/** The address book itself. `CS:getctag`, which older clients compare, is the same as the sync token. */
export function bookProperties(revision: number): Properties {
  const reports = reportNames.map((name) => `<d:supported-report><d:report><${name}/></d:report></d:supported-report>`);
  return {
    ...common,
    "d:resourcetype": "<d:collection/><card:addressbook/>",
    "d:displayname": bookName,
    "d:supported-report-set": reports.join(""),
    "d:sync-token": toSyncToken(revision),
    "cs:getctag": toSyncToken(revision),
    "card:supported-address-data": `<card:address-data-type content-type="text/vcard" version="3.0"/>`,
  };
}

/** A contact; its vCard only where a report requests it. */
export function contactProperties({ revision, vcard }: { revision: number; vcard?: string }): Properties {
  return {
    ...common,
    "d:resourcetype": "",
    "d:getetag": escapeXml(toEtag(revision)),
    "d:getcontenttype": contactType,
    ...(vcard !== undefined && { "card:address-data": escapeXml(vcard) }),
  };
}

export const contactType = "text/vcard; charset=utf-8";

export function toEtag(revision: number): string {
  return `"${revision}"`;
}

/** RFC 6578 §4: a URI. */
export function toSyncToken(revision: number): string {
  return `data:,${revision}`;
}

/** The revision in a sync token; undefined for a token that isn't ours. */
export function readSyncToken(token: string): number | undefined {
  const [, revision] = /^data:,(\d{1,15})$/.exec(token.trim()) ?? [];
  return revision === undefined ? undefined : Number(revision);
}

/** "57-1" -> "/dav/leads/57-1.vcf" */
export function contactPath(name: string): string {
  return `${davPaths.book}${name}.vcf`;
}

/** The name of the contact at a path or an address; undefined for anything else. */
export function readContactName(address: string): string | undefined {
  const path = address.trim().replace(/^https?:\/\/[^/]+/i, "");
  const [, name] = /^\/dav\/leads\/(\d+-\d+)\.vcf$/.exec(path) ?? [];
  return name;
}
