import { z } from "zod";

import {
  addEndpoint,
  deleteEndpoint,
  findEndpoint,
  listEndpoints,
  saveEndpoint,
  showSecret,
} from "#app/features/webhooks/data.server.ts";
import { checkEndpoint } from "#app/features/webhooks/endpoint-form.ts";
import type { Endpoint } from "#app/features/webhooks/endpoint-row.server.ts";
import { webhookMessages as messages } from "#app/features/webhooks/messages.ts";
import { maxUrlLength, webhookKinds, webhookLimits } from "#app/features/webhooks/rules.ts";
import type { WebhookKind } from "#app/features/webhooks/rules.ts";
import { ApiProblem, invalid, notFound, tooMany } from "#app/services/api/problem.ts";
import { operation } from "#app/services/api/resource.ts";
import type { Call, Resource } from "#app/services/api/resource.ts";
import { pageOf, pageQuery, timeOutput, toPage, toTime } from "#app/services/api/schemas.ts";
import { formatWait } from "#app/services/base/format.ts";
import type { Services } from "#app/services/http/context.ts";

const url = z.string().meta({ maxLength: maxUrlLength }).describe("An https address on the internet.");
const events = z.array(z.enum(webhookKinds));

const fields = {
  id: z.string(),
  url: z.string().nullable().describe("null when it can't be read any more."),
  events,
  isOn: z.boolean(),
  offReason: z.enum(["owner", "gone", "failing"]).nullable(),
  failingSince: timeOutput.nullable(),
};
const webhookOutput = z.object(fields).meta({ id: "Webhook" });
const newWebhookOutput = z
  .object({ ...fields, secret: z.string().describe("Signs each message. It isn't returned again.") })
  .meta({ id: "NewWebhook" });

function toOutput({ id, url: address, kinds, offReason, failingSince }: Endpoint): z.input<typeof webhookOutput> {
  return {
    id,
    url: address ?? null,
    events: [...kinds],
    isOn: offReason === undefined,
    offReason: offReason ?? null,
    failingSince: failingSince === null ? null : toTime(failingSince),
  };
}

async function find(services: Services, own: { ownerId: string; id: string }): Promise<Endpoint> {
  const endpoint = await findEndpoint(services, own);
  if (!endpoint) throw notFound("webhook");
  return endpoint;
}

/** The checks of the form, which names its fields in its own way. */
function checkFields({ isSendable }: Services, values: { url: string; kinds: WebhookKind[] }) {
  const checked = checkEndpoint(values, isSendable);
  if (!("errors" in checked)) return checked;
  const pointers = { url: "/url", kinds: "/events" };
  throw invalid(
    (["url", "kinds"] as const).flatMap((name) => {
      const message = checked.errors[name];
      return message === undefined ? [] : [{ pointer: pointers[name], message }];
    }),
  );
}

async function countChange({ rateLimits, clock }: Services, ownerId: string): Promise<void> {
  const limited = await rateLimits.consume([{ limit: webhookLimits.changes, subject: ownerId }]);
  if (!limited) return;
  const text = `Too many changes. Try again ${formatWait(limited.until, clock())}.`;
  throw tooMany(text, { until: limited.until, now: clock() });
}

type Change = { url?: string | undefined; events?: WebhookKind[] | undefined; isOn?: boolean | undefined };

async function change(services: Services, { owner, params, body, origin }: Call<{ id: string }, unknown, Change>) {
  const own = { ownerId: owner.id, id: params.id };
  const before = await find(services, own);
  const isMoved = body.url !== undefined || body.events !== undefined;
  const values = { url: body.url ?? before.url ?? "", kinds: [...(body.events ?? before.kinds)] };
  const checked = isMoved ? checkFields(services, values) : undefined;
  await countChange(services, owner.id);
  await saveEndpoint(services, { ...own, origin, ...checked, isOn: body.isOn });
  return { body: toOutput(await find(services, own)) };
}

export const webhookResource: Resource = {
  name: "webhooks",
  title: "Webhooks",
  description: "Addresses that get a signed message for each event. What automation services call REST hooks.",
  operations: [
    operation({
      id: "listWebhooks",
      method: "GET",
      path: "/webhooks",
      summary: "List your webhooks",
      scope: "webhooks:read",
      query: pageQuery,
      response: { status: 200, schema: pageOf(webhookOutput, "WebhookPage") },
      async run(services, { owner, query }) {
        return toPage((await listEndpoints(services, owner.id)).map(toOutput), query);
      },
    }),
    operation({
      id: "getWebhook",
      method: "GET",
      path: "/webhooks/{id}",
      summary: "Get a webhook",
      scope: "webhooks:read",
      response: { status: 200, schema: webhookOutput },
      async run(services, { owner, params }) {
        return { body: toOutput(await find(services, { ownerId: owner.id, id: params.id })) };
      },
    }),
    operation({
      id: "createWebhook",
      method: "POST",
      path: "/webhooks",
      summary: "Subscribe to events",
      scope: "webhooks:write",
      problems: ["conflict"],
      body: z
        .strictObject({ url, events })
        .meta({ examples: [{ url: "https://example.com/webhooks", events: ["lead.created"] }] }),
      response: { status: 201, schema: newWebhookOutput },
      async run(services, { owner, body, origin }) {
        const checked = checkFields(services, { url: body.url, kinds: body.events });
        await countChange(services, owner.id);
        const id = await addEndpoint(services, { ownerId: owner.id, origin, ...checked });
        if (id === undefined) throw new ApiProblem("conflict", messages.full);
        const own = { ownerId: owner.id, id };
        const secret = (await showSecret(services, { ...own, origin })) ?? "";
        return { body: { ...toOutput(await find(services, own)), secret }, location: `/webhooks/${id}` };
      },
    }),
    operation({
      id: "updateWebhook",
      method: "PATCH",
      path: "/webhooks/{id}",
      summary: "Change a webhook, or switch it on or off",
      scope: "webhooks:write",
      body: z
        .strictObject({ url: url.optional(), events: events.optional(), isOn: z.boolean().optional() })
        .meta({ examples: [{ isOn: false }] }),
      response: { status: 200, schema: webhookOutput },
      run: change,
    }),
    operation({
      id: "deleteWebhook",
      method: "DELETE",
      path: "/webhooks/{id}",
      summary: "Unsubscribe",
      description: "Deletes the webhook with its log.",
      scope: "webhooks:write",
      response: { status: 204 },
      async run(services, { owner, params, origin }) {
        if (!(await deleteEndpoint(services, { ownerId: owner.id, id: params.id, origin }))) throw notFound("webhook");
        return {};
      },
    }),
  ],
};
