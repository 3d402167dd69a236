import { escapeXml } from "./xml-parser.ts";
import type { XmlElement } from "./xml-parser.ts";

export const namespaces = {
  d: "DAV:",
  card: "urn:ietf:params:xml:ns:carddav",
  cs: "http://calendarserver.org/ns/",
} as const;

/** The XML of a property's value by its name with its prefix: "d:getetag". */
export type Properties = Readonly<Record<string, string>>;

/** The properties that a request names: "all" that are here, or those with these names. */
export type RequestedProperties = "all" | "names" | readonly { namespace: string; name: string }[];

/** A resource with its properties; without any, one that isn't there. */
export type MultistatusResponse = { href: string; properties?: Properties; status?: string };

const declarations = Object.entries(namespaces)
  .map(([prefix, uri]) => `xmlns:${prefix}="${uri}"`)
  .join(" ");

const header = '<?xml version="1.0" encoding="utf-8"?>\n';

/** RFC 4918 §9.1: "propfind" without a body requests all. */
export function readRequested(element: XmlElement | undefined): RequestedProperties {
  const child = (name: string) => element?.children.find((one) => one.namespace === namespaces.d && one.name === name);
  if (child("propname")) return "names";
  return child("prop")?.children.map(({ namespace, name }) => ({ namespace, name })) ?? "all";
}

/** The body of a 207 response (RFC 4918 §13). */
export function formatMultistatus(
  responses: Iterable<MultistatusResponse>,
  { requested, syncToken }: { requested: RequestedProperties; syncToken?: string },
): string {
  const parts = [`${header}<d:multistatus ${declarations}>`];
  for (const response of responses) parts.push(formatResponse(response, requested));
  if (syncToken !== undefined) parts.push(`<d:sync-token>${syncToken}</d:sync-token>`);
  return `${parts.join("\n")}\n</d:multistatus>\n`;
}

function formatResponse({ href, properties, status }: MultistatusResponse, requested: RequestedProperties): string {
  const address = `<d:href>${escapeXml(href)}</d:href>`;
  if (!properties)
    return `<d:response>${address}<d:status>HTTP/1.1 ${status ?? "404 Not Found"}</d:status></d:response>`;
  const found: string[] = [];
  const missing: string[] = [];
  for (const name of typeof requested === "string" ? Object.keys(properties) : requested.map(prefixedName)) {
    const value = typeof name === "string" ? properties[name] : undefined;
    if (typeof name === "string" && value !== undefined)
      found.push(requested === "names" || value === "" ? `<${name}/>` : `<${name}>${value}</${name}>`);
    else missing.push(typeof name === "string" ? `<${name}/>` : name.xml);
  }
  return `<d:response>${address}${propstat(found, "200 OK")}${propstat(missing, "404 Not Found")}</d:response>`;
}

/** RFC 4918 §14.24: a response has at least one. */
function propstat(properties: readonly string[], status: string): string {
  if (properties.length === 0 && status !== "200 OK") return "";
  return `<d:propstat><d:prop>${properties.join("")}</d:prop><d:status>HTTP/1.1 ${status}</d:status></d:propstat>`;
}

/** "d:getetag", or an empty element in a namespace of others. */
function prefixedName({ namespace, name }: { namespace: string; name: string }): string | { xml: string } {
  const [prefix] = Object.entries(namespaces).find(([, uri]) => uri === namespace) ?? [];
  return prefix ? `${prefix}:${name}` : { xml: `<x:${name} xmlns:x="${escapeXml(namespace)}"/>` };
}

/** The body of an error: a precondition (RFC 4918 §16), "d:valid-sync-token". */
export function formatError(precondition: string): string {
  return `${header}<d:error ${declarations}><${precondition}/></d:error>\n`;
}
