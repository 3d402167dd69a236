import { createHash } from "node:crypto";
import type { ServerResponse } from "node:http";

import { openHookServer } from "./hook-server.ts";
import { personalContacts } from "./personal-contacts.ts";
import type { Answer, Json, Service, Stored } from "./personal-contacts.ts";

/** Instead of the usual answer: another one, before the request is carried out, or none, after it. */
export type Failure = Answer | "lost";

/**
 * Services to which contacts are copied, as their documentation describes them: each at its host, or at a path that begins with its host;
 * listmonk and the address book also at /listmonk and /carddav. `failing` says how a request fails; with `isLosing` all answers are lost.
 */
export async function openContactServices() {
  const personal = personalContacts();
  const all: Record<string, Service> = { ...services, ...personal.services };
  const contacts = new Map<string, Stored[]>(Object.keys(all).map((name) => [name, []]));
  const state: { failing?: (() => Failure | undefined) | undefined; isLosing: boolean; lastId: number } = {
    isLosing: false,
    lastId: 100,
  };
  const hooks = await openHookServer((response, { method, path: target, body, headers }) => {
    const { pathname, searchParams } = new URL(target, "http://localhost");
    const isOnInternet = !headers["host"]?.startsWith("127.0.0.1");
    const [, host = "", ...rest] = (isOnInternet ? `/${headers["host"]}${pathname}` : pathname).split("/");
    const name = (pattern.exec(host)?.[0] ?? "").replace("hubapi", "hubspot");
    const service = all[name];
    const failure = state.failing?.();
    if (!service) return reply(response, { status: 404 });
    if (failure && failure !== "lost") return reply(response, failure);
    const stored = contacts.get(name) ?? [];
    const next = () => ++state.lastId;
    const json: Json = body.startsWith("{") ? JSON.parse(body) : Object.fromEntries(new URLSearchParams(body));
    const authorized = hasRightKey(headers) || personal.isToken(pathname);
    const request = { method, path: `/${rest.join("/")}`, query: searchParams, body: json, text: body, authorized };
    const answer = authorized ? service(request, stored, next) : { status: 401, body: { message: "Key not found" } };
    if (state.isLosing || failure === "lost") {
      response.destroy();
      return;
    }
    reply(response, answer);
  });
  return { ...hooks, contacts, services: state, consent: personal.consent };
}

const pattern = /listmonk|carddav|brevo|mailchimp|hubapi|google|microsoft/;

function hasRightKey({ authorization = "", "api-key": key = "" }: Record<string, string>): boolean {
  const [scheme = "", credentials = ""] = authorization.split(" ");
  return /right/.test(scheme === "Basic" ? Buffer.from(credentials, "base64").toString() : `${authorization} ${key}`);
}

function reply(response: ServerResponse, { status, body }: Answer) {
  response.writeHead(status, { "content-type": "application/json", ...(status === 429 && { "retry-after": "120" }) });
  response.end(body === undefined ? "" : JSON.stringify(body));
}

function drop(all: Stored[], found: Stored | undefined) {
  if (found) all.splice(all.indexOf(found), 1);
}

/** As listmonk describes one. `status`: "unsubscribed" from its lists, or its own. */
function subscriberOf({ lists, status, ...found }: Stored) {
  const isOut = status === "unsubscribed";
  const subscription_status = isOut ? status : "confirmed";
  return { ...found, status: isOut ? "enabled" : status, lists: lists.map((id) => ({ id, subscription_status })) };
}

const services: Record<string, Service> = {
  carddav({ method, path, text }, all, next) {
    if (method === "PROPFIND") return { status: 207, body: '<addressbook xmlns="urn:ietf:params:xml:ns:carddav"/>' };
    const found = all.find(({ status }) => status === path);
    if (method === "DELETE") return found ? (drop(all, found), { status: 204 }) : { status: 404 };
    const valueOf = (property: string) => new RegExp(`^${property}.*?:(.*)\\r$`, "m").exec(text)?.[1] ?? "";
    const details = { email: valueOf("EMAIL"), name: valueOf("FN") };
    if (found) return (Object.assign(found, details), { status: 204 });
    all.push({ id: next(), ...details, lists: [], status: path });
    return { status: 201 };
  },
  listmonk({ method, path, query, body }, all, next) {
    const [, , id] = /^\/api\/(subscribers|lists)\/(\d+)$/.exec(path) ?? [];
    if (path === "/api/lists/3") return { status: 200, body: { data: { id: 3 } } };
    if (path === "/api/subscribers" && method === "GET") {
      const email = /subscribers\.email = '(.*)'/.exec(query.get("query") ?? "")?.[1]?.replaceAll("''", "'");
      return { status: 200, body: { data: { results: all.filter((one) => one.email === email) } } };
    }
    if (path === "/api/subscribers" && method === "POST") {
      if (all.some(({ email }) => email === body["email"]))
        return { status: 409, body: { message: "E-mail already exists." } };
      const one = {
        id: next(),
        email: String(body["email"]),
        name: String(body["name"]),
        lists: [3],
        status: "enabled",
        fields: body["attribs"],
      };
      all.push(one);
      return { status: 200, body: { data: one } };
    }
    if (path === "/api/subscribers/lists" && method === "PUT") {
      for (const one of all.filter(({ id }) => JSON.stringify(body["ids"]) === `[${id}]`))
        one.lists = body["action"] === "add" ? [...one.lists, 3] : one.lists.filter((list) => list !== 3);
      return { status: 200, body: { data: true } };
    }
    const found = all.find((one) => String(one.id) === id);
    if (!found) return { status: 400, body: { message: "Subscriber not found." } };
    if (method === "GET") return { status: 200, body: { data: subscriberOf(found) } };
    if (method === "DELETE") drop(all, found);
    else Object.assign(found, { email: body["email"], name: body["name"], fields: body["attribs"] });
    return { status: 200, body: { data: found } };
  },
  brevo({ method, path, body }, all, next) {
    if (path === "/v3/account") return { status: 200, body: { email: "ada@example.com", plan: [] } };
    if (path === "/v3/contacts/lists/3") return { status: 200, body: { id: 3 } };
    if (path === "/v3/contacts/lists/3/contacts/remove") {
      const found = all.find(({ id }) => JSON.stringify(body["ids"]) === `[${id}]`);
      if (found) found.lists = [];
      return { status: 201, body: { contacts: { success: [], failure: [] } } };
    }
    const key = decodeURIComponent(/^\/v3\/contacts\/(.+)$/.exec(path)?.[1] ?? String(body["email"]));
    const found = all.find(({ id, email }) => [String(id), email].includes(key));
    const attributes = Object(body["attributes"]);
    const name = `${attributes["FIRSTNAME"]} ${attributes["LASTNAME"]}`;
    if (method === "POST" && found)
      return (Object.assign(found, { name, lists: [3], fields: attributes }), { status: 204 });
    if (method === "POST") {
      all.push({ id: next(), email: key, name, lists: [3], status: "", fields: attributes });
      return { status: 201, body: { id: all.at(-1)?.id } };
    }
    if (!found) return { status: 404, body: { code: "document_not_found" } };
    if (method === "DELETE") return (drop(all, found), { status: 204 });
    return { status: 200, body: found };
  },
  mailchimp({ method, path, body }, all, next) {
    const [, hash, action] =
      /^\/3\.0\/lists\/a1b2c3d4e5(?:\/members\/([\da-f]{32})(\/actions\/delete-permanent)?)?$/.exec(path) ?? [];
    if (path === "/3.0/lists/a1b2c3d4e5") return { status: 200, body: { id: "a1b2c3d4e5" } };
    const found = all.find(({ email }) => createHash("md5").update(email).digest("hex") === hash);
    if (method === "PUT") {
      const fields = Object(body["merge_fields"]);
      const name = `${fields["FNAME"]} ${fields["LNAME"]}`;
      const status = String(body["status"] ?? found?.status ?? body["status_if_new"]);
      if (found) Object.assign(found, { name, status, fields, lists: [3] });
      else
        all.push({ id: next(), email: String(body["email_address"]).toLowerCase(), name, lists: [3], status, fields });
      return { status: 200, body: { id: hash, status } };
    }
    if (!found) return { status: 404, body: { title: "Resource Not Found" } };
    if (action) return (drop(all, found), { status: 204 });
    if (method === "DELETE") return (Object.assign(found, { status: "archived", lists: [] }), { status: 204 });
    return { status: 200, body: found };
  },
  hubspot({ method, path, body }, all, next) {
    const base = "/crm/v3/objects/contacts";
    if (path === "/account-info/v3/details") return { status: 200, body: { portalId: 62515 } };
    if (path === base && method === "GET") return { status: 200, body: { results: [] } };
    const asked = all.find(({ email }) => path === `${base}/${encodeURIComponent(email)}`);
    if (method === "GET") return asked ? { status: 200, body: { id: String(asked.id) } } : { status: 404 };
    if (path === `${base}/batch/upsert`) {
      const [input] = Object(body["inputs"]);
      const { firstname = "", lastname = "", email } = input.properties;
      const name = `${firstname} ${lastname}`;
      const found = all.find((one) => one.email === input.id);
      if (found) Object.assign(found, { name, fields: input.properties });
      const one = found ?? { id: next(), email, name, lists: [], status: "", fields: input.properties };
      if (!found) all.push(one);
      return { status: 200, body: { status: "COMPLETE", results: [{ id: String(one.id), new: !found }] } };
    }
    if (method === "DELETE")
      drop(
        all,
        all.find(({ id }) => path === `${base}/${id}`),
      );
    return { status: 204 };
  },
};
