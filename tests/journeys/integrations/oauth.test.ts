import { expect, test } from "vitest";

import { scheduleBehind } from "#app/features/integrations/send-tasks.server.ts";
import { eraseLeads } from "#app/features/leads/data.server.ts";
import { hour, openOwner } from "#tests/journeys/leads/lead-owner.ts";
import { servicesText } from "#tests/support/database/leads.ts";
import { openContactServices } from "#tests/support/providers/contact-services.ts";

const env = {
  GOOGLE_CLIENT_ID: "google-client",
  GOOGLE_CLIENT_SECRET: "sesame",
  GOOGLE_CONTACTS: "on",
  MICROSOFT_CLIENT_ID: "microsoft-client",
  MICROSOFT_CLIENT_SECRET: "sesame",
};

const kinds = {
  google: {
    client: "google-client",
    page: "https://accounts.google.com/o/oauth2/v2/auth",
    scope: "https://www.googleapis.com/auth/contacts",
    extra: ["include_granted_scopes", "true"],
  },
  microsoft: {
    client: "microsoft-client",
    page: "https://login.microsoftonline.com/common/oauth2/v2.0/authorize",
    scope: "https://graph.microsoft.com/Contacts.ReadWrite",
    extra: ["response_mode", "query"],
  },
} as const;

type Kind = keyof typeof kinds;
const both = Object.keys(kinds) as Kind[];

/** An owner, and the two services behind their hosts. */
async function open() {
  const double = await openContactServices();
  const owner = await openOwner({ env, allowedOrigins: [double.origin] });
  const { services, ada } = owner;
  const send = services.sendPublicly;
  services.sendPublicly = (url, message) => {
    const { host, pathname, search } = new URL(url);
    return send(`${double.origin}/${host}${pathname}${search}`, message);
  };
  /** Presses the button, and returns the page of the service that opens. */
  const begin = async (kind: Kind, visitor = ada) => {
    const page = await (await visitor.post(`/integrations/access/${kind}`, {})).text();
    return new URL(/href="([^"]+)"/.exec(page)?.[1]?.replaceAll(/&(amp|#38|#x26);/g, "&") ?? "");
  };
  /** Comes back from there. */
  const finish = (kind: Kind, parameters: Record<string, string>, visitor = ada) =>
    visitor.get(`/integrations/callback/${kind}?${new URLSearchParams(parameters).toString()}`);
  const connect = async (kind: Kind) => {
    double.consent.scope = kinds[kind].scope;
    const state = (await begin(kind)).searchParams.get("state") ?? "";
    return (await finish(kind, { code: "right", state })).headers.get("location") ?? "";
  };
  const run = async (ms = 0) => {
    owner.time.now += ms;
    await scheduleBehind(services);
    await services.jobs.runDue();
  };
  return { ...owner, double, begin, finish, connect, run };
}

test.for(both)("%s is connected with consent, and gets leads, their changes, and their end", async (kind) => {
  const { ada, begin, finish, connect, double, share, run, services, ownerId, read, logLines } = await open();
  expect(await read("/integrations")).toContain(`/integrations/new/${kind}`);
  expect(await read(`/integrations/new/${kind}`)).toContain(`action="/integrations/access/${kind}"`);
  const page = await begin(kind);
  const { client, page: address, scope, extra } = kinds[kind];
  expect(page.origin + page.pathname).toBe(address);
  expect(Object.fromEntries(page.searchParams)).toMatchObject({
    response_type: "code",
    client_id: client,
    redirect_uri: `http://localhost:3000/integrations/callback/${kind}`,
    code_challenge_method: "S256",
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    [extra[0]]: extra[1],
  });
  expect(page.searchParams.get("scope")?.split(" ")).toContain(scope);
  const state = page.searchParams.get("state") ?? "";
  // The box was not ticked.
  double.consent.scope = "openid email";
  const refused = await finish(kind, { code: "right", state });
  expect(refused.headers.get("location")).toBe(`/integrations/new/${kind}`);
  expect(await read(`/integrations/new/${kind}`)).toContain("tick its box");

  const path = await connect(kind);
  expect(path).toMatch(/^\/integrations\/[\da-f-]{36}$/);
  expect(await read(path)).toContain("ada@example.com");
  expect(JSON.stringify(logLines)).not.toContain(state);
  const { settings } = await services.db.selectFrom("integration").select("settings").executeTakeFirstOrThrow();
  expect(settings).not.toContain("refresh");

  await share({ id: "grace", name: "Grace Hopper", email: "grace@example.com" }, servicesText);
  await share({ id: "alan", name: "Alan Turing", phone: "+1 555 0100" }, servicesText);
  await share({ id: "earlier", name: "No Services" });
  await run();
  const names = () =>
    double.contacts
      .get(kind)
      ?.map(({ name }) => name)
      .toSorted();
  expect(names()).toEqual(["Alan Turing", "Grace Hopper"]);
  const form = await (await ada.get("/leads/alan/edit")).text();
  const version = /name="version" value="([^"]*)"/.exec(form)?.[1] ?? "";
  await ada.post("/leads/alan/edit", { version, name: "Alan M. Turing", "phones.0": "+1 555 0100" });
  await eraseLeads(services, { ownerId, ids: ["grace"] });
  await run(hour);
  expect(names()).toEqual(["Alan M. Turing"]);
  await ada.post(path, { intent: "test" });
  // Microsoft's refresh token is a new one each time.
  const used = double.received.flatMap(({ body }) => new URLSearchParams(body).get("refresh_token") ?? []);
  expect(used).toEqual(kind === "google" ? ["refresh", "refresh", "refresh"] : ["refresh-0", "refresh-1", "refresh-2"]);
  expect(await read(path)).toContain("The connection works");
});

test.for(both)("%s takes back its consent: the owner is notified once, and connects again", async (kind) => {
  const { begin, finish, connect, double, share, run, read, mailsTo, ada, services } = await open();
  const path = await connect(kind);
  double.consent.isRevoked = true;
  await share({ name: "Grace Hopper" }, servicesText);
  for (let tries = 0; tries < 3; tries++) await run(hour);
  expect(double.contacts.get(kind)).toEqual([]);
  const mails = (await mailsTo(ada.email)).filter(({ subject }) => subject.includes("no longer accepts your leads"));
  expect(mails).toHaveLength(1);
  expect(mails[0]?.text).toContain("Token has been revoked.");
  expect(await read(path)).toContain("Connect again");
  expect(await read(`${path}/edit`)).toContain(`action="/integrations/access/${kind}"`);
  double.consent.isRevoked = false;
  expect(await connect(kind)).toBe(path);
  await run();
  expect(double.contacts.get(kind)).toHaveLength(1);
  // Microsoft may answer with the short name of the scope.
  double.consent.scope = kind === "microsoft" ? "openid Contacts.ReadWrite" : kinds[kind].scope;
  const again = (await begin(kind)).searchParams.get("state") ?? "";
  expect((await finish(kind, { code: "right", state: again })).headers.get("location")).toBe(path);
  // Another account is a connection of its own.
  double.consent.account = "grace@example.com";
  expect(await connect(kind)).not.toBe(path);
  expect(await services.db.selectFrom("integration").selectAll().execute()).toHaveLength(2);
});

test.for(both)("%s gets each contact once when answers are lost", async (kind) => {
  const { connect, double, share, run, services, ownerId } = await open();
  await connect(kind);
  for (let n = 0; n < 7; n++) await share({ id: `guest-${n}`, name: `Guest ${n}` }, servicesText);
  let count = 0;
  double.services.failing = () => {
    double.services.isLosing = ++count % 3 === 0;
    return count % 4 === 0 ? { status: 503 } : undefined;
  };
  for (let tries = 0; tries < 4; tries++) await run(hour);
  double.services.failing = undefined;
  double.services.isLosing = false;
  for (let tries = 0; tries < 20; tries++) await run(hour);
  const names = double.contacts.get(kind)?.map(({ name }) => name) ?? [];
  expect(names.toSorted()).toEqual(Array.from({ length: 7 }, (_, n) => `Guest ${n}`));
  // A consent that ends before a lost answer was repeated: the contact is found there by our name.
  await share({ id: "last", name: "Last" }, servicesText);
  double.services.failing = () => {
    double.services.isLosing = (double.contacts.get(kind) ?? []).length === 8;
    return undefined;
  };
  await run();
  double.services.failing = undefined;
  double.services.isLosing = false;
  await eraseLeads(services, { ownerId, ids: ["last"] });
  for (let tries = 0; tries < 3; tries++) await run(hour);
  expect(double.contacts.get(kind)?.map(({ name }) => name)).not.toContain("Last");
});

test("a callback of nobody, of another browser, of another account and of a sign-in connects nothing", async () => {
  const { begin, finish, double, signedIn, services, visitor, ada, read } = await open();
  double.consent.scope = kinds.google.scope;
  const stateOf = async (kind: Kind = "google") => (await begin(kind)).searchParams.get("state") ?? "";
  const state = await stateOf();
  const eve = await signedIn("eve@example.com");
  expect((await finish("google", { code: "right", state: "x".repeat(43) })).status).toBe(302);
  // Eve has her own browser; in Ada's, someone else is signed in now.
  expect((await finish("google", { code: "right", state }, eve)).headers.get("location")).toContain("/new/google");
  const later = await stateOf();
  eve.cookies.set("meishi.oauth_state", ada.cookies.get("meishi.oauth_state") ?? "");
  expect((await finish("google", { code: "right", state: later }, eve)).headers.get("location")).toContain(
    "/new/google",
  );
  expect((await finish("microsoft", { code: "right", state: await stateOf() })).status).toBe(302);
  await finish("google", { error: "access_denied", state: await stateOf() });
  expect(await read("/integrations/new/google")).toContain("You didn’t allow access to your contacts.");
  await finish("google", { code: "wrong", state: await stateOf() });
  expect(await read("/integrations/new/google")).toContain("Token has been revoked.");
  const signIn = await ada.get(`/api/auth/callback/google?code=right&state=${await stateOf()}`);
  expect(signIn.headers.get("location")).toBe("/auth?error=state_mismatch");
  // A state works once.
  const last = await stateOf();
  expect(await services.db.selectFrom("integration").selectAll().execute()).toEqual([]);
  expect((await finish("google", { code: "right", state: last })).headers.get("location")).toMatch(/[\da-f-]{36}$/);
  expect((await finish("google", { code: "right", state: last })).headers.get("location")).toContain("/new/google");
  expect((await visitor().get("/integrations/callback/google?code=right")).headers.get("location")).toMatch(/^\/auth/);
});

test("without the operator's client nothing is offered, and the page says so", async () => {
  const { read, ada } = await openOwner();
  const html = await read("/integrations");
  expect(html).toContain("Google Contacts and Microsoft 365 aren’t set up on this server.");
  expect(html).not.toContain("/integrations/new/google");
  expect(await read("/integrations/new/google")).toContain("isn’t set up on this server");
  expect((await ada.post("/integrations/access/google", {})).status).toBe(404);
  expect((await ada.get("/integrations/callback/google?code=1")).status).toBe(404);
  expect((await ada.post("/integrations/new/google", {})).status).toBe(404);
});
