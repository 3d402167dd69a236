import { data } from "react-router";

import { throwNotFound } from "#app/features/shell/shell.server.ts";
import { deleteEndpoint, findEndpoint, saveEndpoint } from "#app/features/webhooks/data.server.ts";
import { webhookMessages as messages } from "#app/features/webhooks/messages.ts";
import { redeliver } from "#app/features/webhooks/delivery/log-data.server.ts";
import { sendTest } from "#app/features/webhooks/delivery/test-tasks.server.ts";
import { isWebhookKind, webhookLimits } from "#app/features/webhooks/rules.ts";
import { formatNumber } from "#app/services/base/format.ts";
import { limitForm } from "#app/services/forms/form-action.server.ts";
import type { SentForm } from "#app/services/forms/form-action.server.ts";
import type { RateLimit } from "#app/services/http/rate-limits.server.ts";
import { redirectWithToast } from "#app/services/http/toast.server.ts";

type EndpointForm = SentForm<{ id: string }>;

/** The forms of an endpoint's page. */
export const endpointForms = {
  test: async (sent: EndpointForm) => {
    const { ownerId, id } = await openChange(sent, webhookLimits.tests);
    const kind = sent.text("kind");
    if (!isWebhookKind(kind)) throw data(null, { status: 400 });
    const made = await sendTest(sent.all, { ownerId, endpointId: id, kind });
    if (!made) return redirectWithToast("/webhooks", { title: "This webhook was deleted", tone: "error" });
    return redirectWithToast(
      `/webhooks/${id}/log/${made.id}`,
      made.isDelivered ? { title: "Test delivered", tone: "success" } : { title: "Test failed", tone: "error" },
    );
  },
  "resend-failed": async (sent: EndpointForm) => {
    const { ownerId, id } = await openChange(sent, webhookLimits.redeliveries);
    const hours = Number(sent.text("since"));
    if (!(hours >= 1 && hours <= 720)) throw data(null, { status: 400 });
    const now = sent.all.clock();
    const failed = { ownerId, endpointId: id, now, failedSince: now - hours * 3_600_000 };
    const { count, left } = await redeliver(sent.all.db, failed);
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
  },
  on: async (sent: EndpointForm) => {
    const change = await openChange(sent, webhookLimits.changes);
    await saveEndpoint(sent.all, { ...change, isOn: true });
    return redirectWithToast(`/webhooks/${change.id}`, { title: "Switched on", tone: "success" });
  },
  off: async (sent: EndpointForm) => {
    const change = await openChange(sent, webhookLimits.changes);
    await saveEndpoint(sent.all, { ...change, isOn: false });
    const text = "Nothing is sent to it.";
    return redirectWithToast(`/webhooks/${change.id}`, { title: "Switched off", text, tone: "success" });
  },
  delete: async (sent: EndpointForm) => {
    await deleteEndpoint(sent.all, await openChange(sent, webhookLimits.changes));
    return redirectWithToast("/webhooks", { title: "Webhook deleted", tone: "success" });
  },
};

/** The endpoint that a form changes. Throws a 404 without one, and leads back to it an owner who pressed too often. */
export async function openChange(sent: EndpointForm, limit: RateLimit) {
  const { all, ownerId, origin, context, url } = sent;
  const { id } = sent.params;
  if (!(await findEndpoint(all, { ownerId, id }))) throwNotFound(context, url);
  const wait = await limitForm(sent, limit);
  if (!wait) return { ownerId, id, origin };
  const toast = { title: "Too many at once", text: `Try again ${wait}.`, tone: "error" } as const;
  throw redirectWithToast(`/webhooks/${id}`, toast);
}
