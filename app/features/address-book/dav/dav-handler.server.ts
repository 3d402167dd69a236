import type { Context, Handler } from "hono";

import { findRevision, listChanges, readContacts } from "#app/features/address-book/contacts-data.server.ts";
import { findDevice, noteUse } from "#app/features/address-book/device-data.server.ts";
import type { FoundDevice } from "#app/features/address-book/device-data.server.ts";
import { davPaths, wrongPasswords } from "#app/features/address-book/rules.ts";
import type { AppEnv, Services } from "#app/services/http/context.ts";
import { networkOf } from "#app/services/http/rate-limits.server.ts";
import { logFailure } from "#app/services/http/request-log.server.ts";

import {
  bookProperties,
  contactPath,
  contactProperties,
  contactType,
  homeProperties,
  principalProperties,
  readContactName,
  toEtag,
} from "./dav-properties.ts";
import { formatError, formatMultistatus, readRequested } from "./dav-response.server.ts";
import type { MultistatusResponse } from "./dav-response.server.ts";
import { runReport } from "./report.server.ts";
import { parseXml } from "./xml-parser.ts";
import type { XmlElement } from "./xml-parser.ts";

type Request = { c: Context<AppEnv>; services: Services; device: FoundDevice; path: string };

const readMethods = ["OPTIONS", "GET", "HEAD", "PROPFIND", "REPORT"];
const writeMethods = ["PUT", "DELETE", "POST", "PATCH", "MKCOL", "PROPPATCH", "COPY", "MOVE", "LOCK", "UNLOCK", "ACL"];

/** RFC 6352 §6.1: on each response that says what the server can do. Class 3 is RFC 4918. */
const abilities = { dav: "1, 3, addressbook", allow: readMethods.join(", ") };

/** Serves an owner's leads as an address book that can't be written to (CardDAV, RFC 6352), for devices that have a password. */
export function serveAddressBook(services: Services): Handler<AppEnv> {
  return async (c) => {
    const device = await authenticate(c, services);
    if (device instanceof Response) return device;
    const request = { c, services, device, path: c.req.path.replace(/^\/dav(?:\/leads|\/principal)?$/, "$&/") };
    switch (c.req.method) {
      case "OPTIONS":
        return c.body(null, 200, abilities);
      case "GET":
      case "HEAD":
        return getContact(request);
      case "PROPFIND":
        return findProperties(request);
      case "REPORT":
        return report(request);
      default:
        if (!writeMethods.includes(c.req.method)) return c.text("There is no such method.", 405, abilities);
        return c.text(
          `This address book is read-only. Change leads at ${services.config.baseUrl}/leads.`,
          403,
          abilities,
        );
    }
  };
}

/**
 * RFC 7617. The password alone says which device it is: the user name is an email address that may change. All addresses have the same realm,
 * so that a client keeps the password from the first one on.
 */
async function authenticate(
  c: Context<AppEnv>,
  { db, rateLimits, clock, log }: Services,
): Promise<FoundDevice | Response> {
  const challenge = { "www-authenticate": 'Basic realm="Meishi leads", charset="UTF-8"' };
  const [, encoded] = /^Basic +([\w+/=-]+) *$/i.exec(c.req.header("authorization") ?? "") ?? [];
  if (encoded === undefined) return c.text("Send the password of a device.", 401, challenge);
  const credentials = Buffer.from(encoded, "base64").toString();
  const device = await findDevice(db, credentials.slice(credentials.indexOf(":") + 1));
  if (!device) {
    const attempt = { limit: wrongPasswords, subject: networkOf(c.get("state").address) };
    const limited = await rateLimits.consume([attempt]);
    if (!limited) return c.text("No device has this password. It may have been revoked.", 401, challenge);
    const seconds = String(Math.ceil((limited.until - clock()) / 1000));
    return c.text("Too many wrong passwords. Try again later.", 429, { "retry-after": seconds });
  }
  if (device.isBlocked) return c.text("The operator of this site has blocked the account.", 403);
  // On a full disk, devices can still read.
  await noteUse(db, device, clock()).catch((error: unknown) =>
    logFailure(log, error, "the use of a device password was not noted"),
  );
  return device;
}

async function getContact({ c, services: { db }, device, path }: Request): Promise<Response> {
  const name = readContactName(path);
  if (name === undefined)
    return c.text(
      "This address is for contacts apps (CardDAV). It has no page.",
      isCollection(path) ? 405 : 404,
      abilities,
    );
  const { value: [contact] = [] } = await readContacts(db, device.ownerId, [name]).next();
  if (!contact) return c.text(noContact, 404);
  const headers = { etag: toEtag(contact.revision), "cache-control": "private, no-cache" };
  if (isKnown(c.req.header("if-none-match"), headers.etag)) return c.body(null, 304, headers);
  return c.body(contact.vcard, 200, { ...headers, "content-type": contactType });
}

const noContact = "There is no contact at this address.";

/** RFC 9110 §13.1.2: a list of tags, weak ones included, or "*". */
function isKnown(header: string | undefined, etag: string): boolean {
  const tags = (header ?? "").split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  return tags.includes(etag) || tags.includes("*");
}

function isCollection(path: string): boolean {
  return isHome(path) || path === davPaths.principal || path === davPaths.book;
}

/** iOS requests the home at "/", and everyone at the well-known address (RFC 6764 §5): a redirect there would lose the password. */
function isHome(path: string): boolean {
  return path === davPaths.home || path === "/" || path === "/.well-known/carddav";
}

async function findProperties({ c, services: { db }, device, path }: Request): Promise<Response> {
  const body = await readBody(c);
  if (body === "malformed") return malformed(c);
  const isDeep = c.req.header("depth") === "1";
  // RFC 4918 §9.1: also the meaning of a request without this header.
  if (!isDeep && c.req.header("depth") !== "0") return refuse(c, "d:propfind-finite-depth");
  const responses = await listResources(db, device, { path, isDeep });
  if (!responses) return c.text(noContact, 404);
  return multistatus(c, formatMultistatus(responses, { requested: readRequested(body) }));
}

/** The resource at a path, with what is in it; undefined for a path that has none. */
async function listResources(
  db: Services["db"],
  { ownerId, email }: FoundDevice,
  { path, isDeep }: { path: string; isDeep: boolean },
): Promise<MultistatusResponse[] | undefined> {
  if (isHome(path)) {
    const home = { href: path, properties: homeProperties };
    if (!isDeep) return [home];
    return [home, { href: davPaths.book, properties: bookProperties(await findRevision(db, ownerId)) }];
  }
  if (path === davPaths.principal) return [{ href: path, properties: principalProperties(email) }];
  const name = readContactName(path);
  if (path !== davPaths.book && name === undefined) return undefined;
  if (path === davPaths.book && !isDeep)
    return [{ href: path, properties: bookProperties(await findRevision(db, ownerId)) }];
  const changes = await listChanges(db, { ownerId });
  const contacts = (changes?.contacts ?? []).map((contact) => ({ ...contact, href: contactPath(contact.name) }));
  const shown = contacts
    .filter((contact) => name === undefined || contact.name === name)
    .map(({ href, revision }) => ({ href, properties: contactProperties({ revision }) }));
  if (name !== undefined) return shown.length > 0 ? shown : undefined;
  return [{ href: path, properties: bookProperties(changes?.revision ?? 0) }, ...shown];
}

async function report({ c, services: { db }, device, path }: Request): Promise<Response> {
  const element = await readBody(c);
  if (element === "malformed" || !element) return malformed(c);
  if (path !== davPaths.book) return refuse(c, "d:supported-report");
  const result = await runReport({ db, ownerId: device.ownerId, element });
  return "precondition" in result ? refuse(c, result.precondition) : multistatus(c, result.multistatus);
}

/** Undefined without a body. */
async function readBody(c: Context<AppEnv>): Promise<XmlElement | "malformed" | undefined> {
  const bytes = await c.req.arrayBuffer();
  if (bytes.byteLength === 0) return undefined;
  try {
    return (await parseXml(new TextDecoder("utf-8", { fatal: true }).decode(bytes))) ?? "malformed";
  } catch (error) {
    if (error instanceof TypeError) return "malformed";
    throw error;
  }
}

const xmlType = { "content-type": "application/xml; charset=utf-8", "cache-control": "private, no-cache" };

function multistatus(c: Context<AppEnv>, body: string): Response {
  return c.body(body, 207, { ...xmlType, ...abilities });
}

function refuse(c: Context<AppEnv>, precondition: string): Response {
  return c.body(formatError(precondition), 403, xmlType);
}

function malformed(c: Context<AppEnv>): Response {
  return c.text("The body isn’t the XML of a request, or it declares a document type.", 400);
}
