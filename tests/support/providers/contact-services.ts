import { createHash } from "node:crypto";
import type { ServerResponse } from "node:http";

import { openHookServer } from "./hook-server.ts";
import { personalContacts } from "./personal-contacts.ts";
import type { Answer, Json, Service, Stored } from "./personal-contacts.ts";

/**
 * Services to which contacts are copied, as their documentation describes them: each at a path that begins with its host; listmonk at
 * /listmonk. `failing` answers instead, before a request is carried out; `losing` lets it be carried out and cuts the answer off.
 */
export async function openContactServices() {
  const names = ["listmonk", "brevo", "mailchimp", "hubspot", "google", "microsoft"];
  const contacts = new Map<string, Stored[]>(names.map((name) => [name, []]));
  const personal = personalContacts();
  const state: { failing?: (() => Answer | undefined) | undefined; isLosing: boolean; lastId: number } = {
    isLosing: false,
    lastId: 100,
  };
  const hooks = await openHookServer((response, { method, path: target, body, headers }) => {
    const { pathname, searchParams } = new URL(target, "http://localhost");
    const [, host = "", ...rest] = pathname.split("/");
    const name = host.startsWith("listmonk")
      ? "listmonk"
      : (/brevo|mailchimp|hubapi|google|microsoft/.exec(host)?.[0] ?? "").replace("hubapi", "hubspot");
    const service = { ...services, ...personal.services }[name];
    const failure = state.failing?.();
    if (failure || !service) return reply(response, failure ?? { status: 404 });
    const authorized = /right/.test(`${headers["authorization"]} ${headers["api-key"]}`);
    const all = contacts.get(name) ?? [];
    const next = () => ++state.lastId;
    const json: Json = body.startsWith("{") ? JSON.parse(body) : Object.fromEntries(new URLSearchParams(body));
    const request = { method, path: `/${rest.join("/")}`, query: searchParams, body: json, authorized };
    const answer =
      authorized || personal.isToken(pathname)
        ? service(request, all, next)
        : { status: 401, body: { message: "Key not found" } };
    if (state.isLosing) {
      response.destroy();
      return;
    }
    reply(response, answer);
  });
  return { ...hooks, contacts, services: state, consent: personal.consent };
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
