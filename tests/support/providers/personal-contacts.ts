import { UnsecuredJWT } from "jose";

export type ServiceRequest = {
  method: string;
  path: string;
  query: URLSearchParams;
  body: Json;
  text: string;
  authorized: boolean;
};
export type Json = Record<string, unknown> & { [Key in string]?: unknown };
export type Answer = { status: number; body?: unknown };
/** A contact of a service, by its email address. At an address book, the status is its path. `mark`: our name for it. `fields`: those of the owner, among others. */
export type Stored = {
  id: number;
  email: string;
  name: string;
  lists: number[];
  status: string;
  mark?: string;
  fields?: unknown;
};
export type Service = (request: ServiceRequest, all: Stored[], next: () => number) => Answer;

/**
 * Google's People API and Microsoft Graph with their token endpoints, as their documentation describes them. `consent`: what the owner
 * granted. With each new token, Microsoft replaces the refresh token; the former one still works.
 */
export function personalContacts() {
  const consent = { isRevoked: false, scope: "", account: "ada@example.com", refreshed: 0 };

  function tokens({ body }: ServiceRequest, rotates: boolean) {
    if (body["client_secret"] !== "sesame") return { status: 401, body: { error: "invalid_client" } };
    const isCode = body["grant_type"] === "authorization_code";
    const isRight = isCode
      ? body["code"] === "right" && body["code_verifier"]
      : /^refresh(-\d+)?$/.test(String(body["refresh_token"]));
    if (consent.isRevoked || !isRight)
      return { status: 400, body: { error: "invalid_grant", error_description: "Token has been revoked." } };
    if (!isCode) consent.refreshed++;
    return {
      status: 200,
      body: {
        access_token: "right",
        expires_in: 3599,
        token_type: "Bearer",
        scope: consent.scope,
        ...(isCode && { id_token: new UnsecuredJWT({ email: consent.account }).setSubject("1").encode() }),
        ...((isCode || rotates) && { refresh_token: rotates ? `refresh-${consent.refreshed}` : "refresh" }),
      },
    };
  }

  const services: Record<"google" | "microsoft", Service> = {
    google(request, all, next) {
      const { method, path, query, body } = request;
      if (path === "/token") return tokens(request, false);
      if (path === "/v1/people/me/connections") return { status: 200, body: listConnections(all, query) };
      const { names = [], emailAddresses = [], clientData = [] } = body;
      const name = joined(Object(names)[0]?.givenName, Object(names)[0]?.familyName);
      const email = String(Object(emailAddresses)[0]?.value ?? "");
      if (path === "/v1/people:createContact") {
        const mark = String(Object(clientData)[0]?.value);
        all.push({ id: next(), email, name, lists: [], status: "1", mark });
        return { status: 200, body: person(all.at(-1)) };
      }
      const [, id, action] = /^\/v1\/people\/c(\d+)(?::(updateContact|deleteContact))?$/.exec(path) ?? [];
      const found = all.find((one) => String(one.id) === id);
      if (!found) return { status: 404, body: { error: { code: 404, status: "NOT_FOUND" } } };
      if (method === "DELETE" && action === "deleteContact") {
        all.splice(all.indexOf(found), 1);
        return { status: 200, body: {} };
      }
      if (method === "PATCH" && action === "updateContact" && query.has("updatePersonFields")) {
        const [source] = Object(body["metadata"]).sources ?? [];
        if (source?.etag !== found.status) return { status: 400, body: { error: { status: "FAILED_PRECONDITION" } } };
        Object.assign(found, { name, email, status: String(Number(found.status) + 1) });
      }
      return { status: 200, body: person(found) };
    },
    microsoft(request, all, next) {
      const { method, path, query, body } = request;
      if (path === "/common/oauth2/v2.0/token") return tokens(request, true);
      const email = String(Object(body["emailAddresses"])[0]?.address ?? "");
      const values = { email, name: joined(body["givenName"], body["surname"]) };
      const collection = "/v1.0/me/contacts";
      if (path === collection && method === "POST") {
        const [{ id, value: mark }] = Object(body["singleValueExtendedProperties"]);
        if (!/^String \{[\da-f-]{36}\} Name \w+$/.test(id)) return { status: 400 };
        all.push({ id: next(), ...values, lists: [], status: "", mark });
        return { status: 201, body: { id: `AAMk${all.at(-1)?.id}=` } };
      }
      if (path === collection) {
        const mark = /ep\/value eq '([^']+)'/.exec(query.get("$filter") ?? "")?.[1];
        const value = all.filter((one) => mark === undefined || one.mark === mark);
        return { status: 200, body: { value: value.map(({ id }) => ({ id: `AAMk${id}=` })) } };
      }
      const found = all.find(({ id }) => decodeURIComponent(path) === `${collection}/AAMk${id}=`);
      if (!found) return { status: 404, body: { error: { code: "ErrorItemNotFound" } } };
      if (method === "DELETE") all.splice(all.indexOf(found), 1);
      else Object.assign(found, values);
      return method === "DELETE" ? { status: 204 } : { status: 200, body: { id: `AAMk${found.id}=` } };
    },
  };
  return { services, consent, isToken: (path: string) => path.endsWith("/token") };
}

function person(one: Stored | undefined) {
  const source = { type: "CONTACT", id: String(one?.id), etag: one?.status };
  return { resourceName: `people/c${one?.id}`, etag: "%x", metadata: { sources: [source], objectType: "PERSON" } };
}

/** A third to a page, whatever was requested, so that clients have to follow `nextPageToken`. */
function listConnections(all: Stored[], query: URLSearchParams) {
  const from = Number(query.get("pageToken") ?? 0);
  const until = from + Math.ceil(all.length / 3);
  const connections = all.slice(from, until).map((one) => ({
    resourceName: `people/c${one.id}`,
    ...(one.mark && { clientData: [{ key: "meishi", value: one.mark }] }),
  }));
  if (connections.length === 0) return {};
  return { connections, ...(until < all.length && { nextPageToken: String(until) }) };
}

function joined(...names: unknown[]): string {
  return names.filter(Boolean).join(" ");
}
