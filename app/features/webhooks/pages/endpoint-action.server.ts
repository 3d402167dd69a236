import { data } from "react-router";

import { throwNotFound } from "#app/features/shell/shell.server.ts";
import { deleteEndpoint, findEndpoint, saveEndpoint } from "#app/features/webhooks/data.server.ts";
import { webhookMessages as messages } from "#app/features/webhooks/messages.ts";
import { redeliver } from "#app/features/webhooks/delivery/log-data.server.ts";
import { sendTest } from "#app/features/webhooks/delivery/test-tasks.server.ts";
import { isWebhookKind, webhookLimits } from "#app/features/webhooks/rules.ts";
import { fieldText } from "#app/services/base/form-fields.ts";
import type { FormFields } from "#app/services/base/form-fields.ts";
import { formatNumber, formatWait } from "#app/services/base/format.ts";
import { requestContext, requireUser, services } from "#app/services/http/context.ts";
import type { Services } from "#app/services/http/context.ts";
import { readForm } from "#app/services/http/form-body.ts";
import type { RateLimit } from "#app/services/http/rate-limits.server.ts";
import { redirectWithToast } from "#app/services/http/toast.server.ts";

type ActionArgs = { params: { id: string }; request: Request; context: Parameters<typeof requireUser>[0]; url: URL };
type Own = { ownerId: string; id: string };

/** The forms of an endpoint's page. */
export async function changeEndpoint({ params, request, context, url }: ActionArgs): Promise<Response> {
  const all = services(context);
  const own = { ownerId: requireUser(context).id, id: params.id };
  if (!(await findEndpoint(all, own))) throwNotFound(context, url);
  const change = { ...own, origin: { headers: request.headers, address: context.get(requestContext).address } };
  const form = await readForm(request);
  const here = `/webhooks/${own.id}`;
  switch (form.get("intent")) {
    case "test":
      return (await limit(all, own, webhookLimits.tests)) ?? test(all, own, form);
    case "resend-failed":
      return (await limit(all, own, webhookLimits.redeliveries)) ?? resendFailed(all, own, form);
  }
  const limited = await limit(all, own, webhookLimits.changes);
  if (limited) return limited;
  switch (form.get("intent")) {
    case "on":
      await saveEndpoint(all, { ...change, isOn: true });
      return redirectWithToast(here, { title: "Switched on", tone: "success" });
    case "off":
      await saveEndpoint(all, { ...change, isOn: false });
      return redirectWithToast(here, { title: "Switched off", text: "Nothing is sent to it.", tone: "success" });
    case "delete":
      await deleteEndpoint(all, change);
      return redirectWithToast("/webhooks", { title: "Webhook deleted", tone: "success" });
    default:
      throw data(null, { status: 400 });
  }
}

/** The answer to an owner who pressed too often. */
export async function limit(all: Services, { ownerId, id }: Own, of: RateLimit): Promise<Response | undefined> {
  const limited = await all.rateLimits.consume([{ limit: of, subject: ownerId }]);
  if (!limited) return undefined;
  const text = `Try again ${formatWait(limited.until, all.clock())}.`;
  return redirectWithToast(`/webhooks/${id}`, { title: "Too many at once", text, tone: "error" });
}

async function test(all: Services, { ownerId, id }: Own, form: FormFields): Promise<Response> {
  const kind = fieldText(form, "kind");
  if (!isWebhookKind(kind)) throw data(null, { status: 400 });
  const sent = await sendTest(all, { ownerId, endpointId: id, kind });
  if (!sent) return redirectWithToast("/webhooks", { title: "This webhook was deleted", tone: "error" });
  return redirectWithToast(
    `/webhooks/${id}/log/${sent.id}`,
    sent.isDelivered ? { title: "Test delivered", tone: "success" } : { title: "Test failed", tone: "error" },
  );
}

async function resendFailed(all: Services, { ownerId, id }: Own, form: FormFields): Promise<Response> {
  const hours = Number(fieldText(form, "since"));
  if (!(hours >= 1 && hours <= 720)) throw data(null, { status: 400 });
  const now = all.clock();
  const { count, left } = await redeliver(all.db, {
    ownerId,
    endpointId: id,
    now,
    failedSince: now - hours * 3_600_000,
  });
  return redirectWithToast(`/webhooks/${id}`, {
    title:
      count === 0
        ? left > 0
          ? "Too many messages are waiting"
          : "Nothing to send again"
        : count === 1
          ? "1 message is sent again"
          : `${formatNumber(count)} messages are sent again`,
    ...(left > 0 && { text: messages.moreFailed(left) }),
    tone: count === 0 ? "info" : "success",
  });
}
