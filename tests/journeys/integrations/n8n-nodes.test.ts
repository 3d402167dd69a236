import { createRequire } from "node:module";
import { join } from "node:path";

import { expect, test } from "vitest";
import { Webhook } from "standardwebhooks";

import { callApi, createApiApp } from "#tests/journeys/api/api-app.ts";
import { insertLead, servicesText } from "#tests/support/database/leads.ts";
import { openHookServer } from "#tests/support/providers/hook-server.ts";

type Item = { json: Record<string, unknown> };
type Method = (this: object) => Promise<boolean>;
type Package = {
  Meishi: new () => { execute(this: object): Promise<Item[][]> };
  MeishiTrigger: new () => {
    webhookMethods: { default: Record<"checkExists" | "create" | "delete", Method> };
    webhook(this: object): Promise<{ noWebhookResponse?: boolean; workflowData?: Item[][] }>;
  };
  MeishiApi: new () => {
    authenticate: { properties: { headers: { Authorization: string } } };
    test: { request: { url: string; qs: Record<string, string> } };
  };
};
type HttpRequest = { method: string; url: string; qs?: Record<string, string>; body?: object };
type Hook = { headers: Record<string, string>; body: string };

/** The package as n8n loads it: the files that its package.json names. */
const load = createRequire(join(import.meta.dirname, "../../../integrations/n8n/package.json"));
const { n8n } = load("./package.json") as { n8n: Record<"nodes" | "credentials", string[]> };
const files = [...n8n.nodes, ...n8n.credentials].map((file) => load(`./${file}`) as object);
const { Meishi, MeishiTrigger, MeishiApi } = Object.assign({}, ...files) as Package;

/** A site, a server in n8n's place, and what n8n gives the nodes of a workflow. */
async function openN8n() {
  const hooks = await openHookServer();
  const site = await createApiApp({ allowedOrigins: [hooks.origin] });
  const { services, ownerId } = site;
  const request = async ({ method, url, qs, body }: HttpRequest, key = site.key) => {
    const headers = { authorization: credential.authenticate.properties.headers.Authorization.slice(1) };
    headers.authorization = headers.authorization.replace("{{$credentials.apiKey}}", key);
    const path = `${new URL(url).pathname}?${new URLSearchParams(qs).toString()}`;
    const { status, body: response } = await callApi(site, `${method} /${path}`, { headers, body });
    return { statusCode: status, body: response };
  };
  const staticData: { id?: string; secret?: string } = {};
  const openNode = (parameters: Record<string, unknown>, webhookUrl = `${hooks.origin}/webhook`) => ({
    getNodeParameter: (name: string) => parameters[name],
    getWorkflowStaticData: () => staticData,
    getNodeWebhookUrl: () => webhookUrl,
    getCredentials: async () => ({ url: "http://localhost:3000/", apiKey: site.key }),
    getInputData: () => [{ json: {} }],
    continueOnFail: () => false,
    helpers: { httpRequestWithAuthentication: (_: string, options: HttpRequest) => request(options) },
  });
  const share = async (id: string) => {
    const lead = { name: `Guest ${id}`, email: "grace@example.com" };
    await insertLead(services, { id, ownerId, now: services.clock(), lead, text: servicesText });
  };
  const listWebhooks = async () => (await site.call("GET /webhooks")).body.data;
  return { ...site, hooks, request, staticData, openNode, share, listWebhooks };
}

const credential = new MeishiApi();
const { create, checkExists, delete: remove } = new MeishiTrigger().webhookMethods.default;

const unsigned: Hook = { headers: {}, body: "" };

/** What the trigger makes of a request: the event, or the status of the refusal. */
async function receive(node: object, { headers, body }: Hook) {
  const statuses: number[] = [];
  const response = { status: (status: number) => ({ end: () => statuses.push(status) }) };
  const getRequestObject = () => ({ headers, rawBody: Buffer.from(body) });
  const result = await new MeishiTrigger().webhook.call({
    ...node,
    getRequestObject,
    getResponseObject: () => response,
  });
  return result.noWebhookResponse ? statuses[0] : result.workflowData?.[0]?.[0]?.json;
}

test("n8n’s trigger subscribes, passes on events that the site signed, and unsubscribes", async () => {
  const { hooks, services, staticData, openNode, share, listWebhooks, call } = await openN8n();
  const trigger = openNode({ events: ["lead.created"] });
  expect(await checkExists.call(trigger)).toBe(false);
  await create.call(trigger);
  expect(await checkExists.call(trigger)).toBe(true);
  const [webhook] = await listWebhooks();
  expect(webhook).toMatchObject({ id: staticData.id, url: `${hooks.origin}/webhook`, events: ["lead.created"] });

  await share("lead-1");
  await services.jobs.runDue();
  const [hook = unsigned] = hooks.received;
  const id = hook.headers["webhook-id"];
  const event = { id, type: "lead.created", data: { id: "lead-1", name: "Guest lead-1" } };
  expect(await receive(trigger, hook)).toMatchObject(event);

  const moved = openNode({ events: ["lead.created"] }, `${hooks.origin}/moved`);
  expect(await checkExists.call(moved)).toBe(false);
  expect(await listWebhooks()).toEqual([]);
  await create.call(moved);
  await remove.call(moved);
  expect(await listWebhooks()).toEqual([]);
  expect(await receive(trigger, hook)).toBe(401);
  await create.call(trigger);
  await call(`DELETE /webhooks/${staticData.id}`);
  await remove.call(trigger);
  expect(staticData).toEqual({});
});

test("n8n’s trigger answers 401 to what the site didn’t sign, or signed long ago", async () => {
  const { staticData, openNode } = await openN8n();
  const trigger = openNode({ events: ["lead.created"] });
  await create.call(trigger);
  const body = '{"type":"lead.created","data":{}}';
  const sign = (secret: string, ageSeconds = 0) => {
    const at = new Date(Date.now() - ageSeconds * 1_000);
    const timestamp = String(Math.floor(at.getTime() / 1_000));
    const signature = new Webhook(secret).sign("msg-1", at, body);
    return { "webhook-id": "msg-1", "webhook-timestamp": timestamp, "webhook-signature": signature };
  };
  const { secret = "" } = staticData;
  const other = sign(`whsec_${Buffer.alloc(32).toString("base64")}`);
  const signed = sign(secret);
  const two = `${other["webhook-signature"]} ${signed["webhook-signature"]}`;
  expect(await receive(trigger, { headers: { ...signed, "webhook-signature": two }, body })).toHaveProperty("type");
  const refused: Hook[] = [
    { headers: other, body },
    { headers: signed, body: `${body} ` },
    { headers: { ...signed, "webhook-id": "msg-2" }, body },
    { headers: { ...signed, "webhook-signature": "v1,short" }, body },
    { headers: sign(secret, 600), body },
    { headers: sign(secret, -600), body },
    unsigned,
  ];
  for (const hook of refused) expect(await receive(trigger, hook)).toBe(401);
});

test("n8n’s trigger shows why the site refuses the address of n8n", async () => {
  const { openNode, listWebhooks } = await openN8n();
  const activate = (url: string) => create.call(openNode({ events: ["lead.created"] }, url));
  await expect(activate("http://localhost:5678/webhook")).rejects.toThrow(/localhost.*must start with https:/);
  await expect(activate("https://localhost/webhook")).rejects.toThrow("This address isn’t on the internet.");
  expect(await listWebhooks()).toEqual([]);
});

test("n8n’s node lists, gets and changes leads with the key of the credential", async () => {
  const { openNode, share, request } = await openN8n();
  for (let n = 0; n < 102; n++) await share(`lead-${n}`);
  const execute = async (parameters: object) =>
    (await new Meishi().execute.call(openNode({ filters: {}, ...parameters })))[0]?.map(({ json }) => json);
  expect(await execute({ operation: "getAll", limit: 1_000 })).toHaveLength(102);
  expect(await execute({ operation: "getAll", limit: 101 })).toHaveLength(101);
  const updateFields = { status: "won", tags: "Fair, VIP", ownerNote: "Wants a demo." };
  await execute({ operation: "update", id: "lead-7", updateFields });
  const changed = { id: "lead-7", status: "won", tags: ["Fair", "VIP"], ownerNote: "Wants a demo." };
  expect(await execute({ operation: "getAll", limit: 5, filters: { tag: "VIP" } })).toMatchObject([changed]);
  expect(await execute({ operation: "get", id: "lead-7" })).toMatchObject([{ ...changed, consents: [{}] }]);
  await expect(execute({ operation: "get", id: "lead-x" })).rejects.toThrow("There is no lead with this id.");
  const since = new Date(Date.now() + 60_000).toISOString();
  expect(await execute({ operation: "getAll", limit: 5, filters: { since } })).toEqual([]);

  const { url, qs } = credential.test.request;
  const check = { method: "GET", url: `http://localhost:3000${url}`, qs };
  expect(await request(check)).toMatchObject({ statusCode: 200 });
  expect(await request(check, "meishi_wrong")).toMatchObject({ statusCode: 401 });
});
