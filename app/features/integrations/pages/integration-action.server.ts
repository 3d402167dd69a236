import { deleteIntegration, findIntegration, sendAgain, setState } from "#app/features/integrations/data.server.ts";
import { createSend, toFailure } from "#app/features/integrations/destination-request.server.ts";
import { withAccessToken } from "#app/features/integrations/oauth-request.server.ts";
import { integrationLimits } from "#app/features/integrations/rules.ts";
import { scheduleIntegration } from "#app/features/integrations/send-tasks.server.ts";
import { throwNotFound } from "#app/features/shell/shell.server.ts";
import { limitForm } from "#app/services/forms/form-action.server.ts";
import type { SentForm } from "#app/services/forms/form-action.server.ts";
import type { RateLimit } from "#app/services/http/rate-limits.server.ts";
import { redirectWithToast } from "#app/services/http/toast.server.ts";

type IntegrationForm = SentForm<{ id: string }>;

/** The forms of an integration's page. */
export const integrationForms = {
  test: async (sent: IntegrationForm) => {
    const integration = await openChange(sent, integrationLimits.tests);
    const { id, settings, destination } = integration;
    const send = createSend(sent.all);
    try {
      if (settings)
        await destination.test({ ...(await withAccessToken(sent.all, { integration, settings, send })), send });
    } catch (error) {
      const toast = { title: "The test failed", text: toFailure(error).explanation(), tone: "error" } as const;
      return redirectWithToast(`/integrations/${id}`, toast);
    }
    return redirectWithToast(`/integrations/${id}`, { title: "The connection works", tone: "success" });
  },
  pause: async (sent: IntegrationForm) => {
    const { id } = await openChange(sent, integrationLimits.changes);
    await setState(sent.all.db, { id, state: "paused", now: sent.all.clock() });
    const text = "Nothing is sent or deleted there until you resume.";
    return redirectWithToast(`/integrations/${id}`, { title: "Paused", text, tone: "success" });
  },
  resume: async (sent: IntegrationForm) => {
    const { id, state } = await openChange(sent, integrationLimits.changes);
    if (state === "paused") await setState(sent.all.db, { id, state: "on", now: sent.all.clock() });
    await scheduleIntegration(sent.all, id);
    return redirectWithToast(`/integrations/${id}`, { title: "Resumed", tone: "success" });
  },
  retry: async (sent: IntegrationForm) => {
    const { id } = await openChange(sent, integrationLimits.changes);
    await sendAgain(sent.all.db, { id, now: sent.all.clock(), states: ["given-up"] });
    await scheduleIntegration(sent.all, id);
    return redirectWithToast(`/integrations/${id}`, { title: "They are sent again", tone: "success" });
  },
  delete: async (sent: IntegrationForm) => {
    const { id } = await openChange(sent, integrationLimits.changes);
    await deleteIntegration(sent.all, { ownerId: sent.ownerId, id, origin: sent.origin });
    return redirectWithToast("/integrations", { title: "Disconnected", tone: "success" });
  },
};

/** The integration that a form changes. Throws a 404 without one, and leads back to it an owner who pressed too often. */
async function openChange(sent: IntegrationForm, limit: RateLimit) {
  const { all, ownerId, context, url } = sent;
  const found = await findIntegration(all, { ownerId, id: sent.params.id });
  if (!found) throwNotFound(context, url);
  const wait = await limitForm(sent, limit);
  if (!wait) return found;
  const toast = { title: "Too many at once", text: `Try again ${wait}.`, tone: "error" } as const;
  throw redirectWithToast(`/integrations/${found.id}`, toast);
}
