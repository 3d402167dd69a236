import { z } from "zod";

import { mapDetails, mappingFields, readJson } from "#app/features/integrations/destination.ts";
import type { Destination, SendRequest, Settings } from "#app/features/integrations/destination.ts";

const subscriber = z.object({ id: z.number() });
const membership = z.object({ id: z.number(), subscription_status: z.string() });
const stored = z.object({ data: z.object({ status: z.string(), lists: z.array(membership) }) });
const created = z.object({ data: subscriber });
const found = z.object({ data: z.object({ results: z.array(subscriber) }) });

/** https://listmonk.app/docs/apis/subscribers/ */
export const listmonk: Destination = {
  kind: "listmonk",
  name: "listmonk",
  about: "Adds contacts who agreed to news by email to a list of your listmonk server.",
  audience: "newsletter",
  fields: [
    { name: "url", label: "Address", hint: "https://lists.example.com", isAddress: true },
    { name: "user", label: "API user", hint: "Admin, Users: create one of type API" },
    { name: "token", label: "Token", hint: "Shown when the user is created", isSecret: true },
    { name: "list", label: "List ID", hint: "The number in the address of the list" },
    ...mappingFields(["phone", "company", "title", "website", "note", "tags"], "company"),
  ],
  check: ({ list = "" }) => (/^\d{1,9}$/.test(list) ? {} : { list: "Enter the number of the list." }),
  target: ({ url = "" }) => new URL(url).host,
  async test({ settings, send }) {
    const url = api(settings, `lists/${settings["list"]}`);
    await send({ method: "GET", url, headers: headers(settings) });
    return url;
  },
  async find({ settings, send, contact }) {
    const email = contact.email.toLowerCase().replaceAll("'", "''");
    const query = new URLSearchParams({ query: `subscribers.email = '${email}'` });
    const url = api(settings, `subscribers?${query.toString()}`);
    const answer = await send({ method: "GET", url, headers: headers(settings) });
    const [first] = found.parse(readJson(answer)).data.results;
    return first && String(first.id);
  },
  async copy(request) {
    const { settings, send, contact, known } = request;
    const name = [contact.firstName, contact.lastName].filter(Boolean).join(" ") || contact.email;
    const lists = [Number(settings["list"])];
    const attribs = mapDetails(settings, contact);
    const person = { email: contact.email, name, status: "enabled", lists, attribs, preconfirm_subscriptions: true };
    if (known) {
      const url = api(settings, `subscribers/${known.id}`);
      const answer = await send({ method: "GET", url, headers: headers(settings) });
      const { status, lists: own } = stored.parse(readJson(answer)).data;
      const list = own.find(({ id }) => id === Number(settings["list"]));
      // Both requests would subscribe those again who unsubscribed there.
      if (status !== "enabled" || list?.subscription_status === "unsubscribed") return known.id;
      // A PUT replaces the lists, which are the owner's for a subscriber who was there before.
      if (known.isOurs) await send({ method: "PUT", url, headers: headers(settings), body: person });
      else if (!list) await changeList(settings, send, { id: known.id, action: "add", status: "confirmed" });
      return known.id;
    }
    const url = api(settings, "subscribers");
    const answer = await send({ method: "POST", url, headers: headers(settings), body: person });
    return String(created.parse(readJson(answer)).data.id);
  },
  async remove({ settings, send, known }) {
    if (!known.isOurs) {
      await changeList(settings, send, { id: known.id, action: "unsubscribe" });
      return "kept";
    }
    const url = api(settings, `subscribers/${known.id}`);
    await send({ method: "DELETE", url, headers: headers(settings), accepts: [400, 404] });
    return "removed";
  },
};

function api({ url = "" }: Settings, path: string): string {
  return `${url.replace(/\/+$/, "")}/api/${path}`;
}

function headers({ user, token }: Settings) {
  return { authorization: `token ${user}:${token}` };
}

async function changeList(
  settings: Settings,
  send: SendRequest,
  { id, action, status }: { id: string; action: "add" | "unsubscribe"; status?: string },
) {
  const body = { ids: [Number(id)], action, target_list_ids: [Number(settings["list"])], status };
  await send({ method: "PUT", url: api(settings, "subscribers/lists"), headers: headers(settings), body });
}
