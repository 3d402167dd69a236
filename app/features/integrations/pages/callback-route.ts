import { addIntegration } from "#app/features/integrations/data.server.ts";
import { createSend, toFailure } from "#app/features/integrations/destination-request.server.ts";
import { findDestination } from "#app/features/integrations/destinations.server.ts";
import { integrationMessages as messages } from "#app/features/integrations/messages.ts";
import {
  callbackUrl,
  exchangeCode,
  findAccess,
  stateProvider,
} from "#app/features/integrations/oauth-request.server.ts";
import { scheduleIntegration } from "#app/features/integrations/send-tasks.server.ts";
import { throwNotFound } from "#app/features/shell/shell.server.ts";
import { requestContext, requireUser, services } from "#app/services/http/context.ts";
import { redirectWithToast } from "#app/services/http/toast.server.ts";

import type { Route } from "./+types/callback-route.ts";

/** Where a service sends an owner back to: connects it, or says why not. */
export async function loader({ context, request, params: { kind }, url }: Route.LoaderArgs) {
  const all = services(context);
  const { id: ownerId } = requireUser(context);
  const destination = findDestination(kind);
  const access = destination && findAccess(all, destination);
  if (!access) throwNotFound(context, url);
  const fail = (text: string) => {
    const toast = { title: `${destination.name} isn’t connected`, text, tone: "error" } as const;
    return redirectWithToast(`/integrations/new/${kind}`, toast);
  };
  const state = url.searchParams.get("state") ?? "";
  const begun = await all.auth.takeState({ state, provider: stateProvider(kind), headers: request.headers });
  if (begun?.userId !== ownerId) return fail("That took too long, or was begun in another browser. Try again.");
  const code = url.searchParams.get("code");
  if (!code) return fail("You didn’t allow access to your contacts.");
  const send = createSend(all);
  const origin = { headers: request.headers, address: context.get(requestContext).address };
  try {
    const { accessToken, ...settings } = await exchangeCode(send, access, {
      code,
      codeVerifier: begun.codeVerifier,
      redirectUri: callbackUrl(all, kind),
    });
    const place = await destination.test({ settings: { ...settings, accessToken }, send });
    const id = await addIntegration(all, { ownerId, destination, settings: { ...settings, place }, origin });
    if (id === undefined) return fail(messages.full);
    await scheduleIntegration(all, id);
    const text = "Your leads are sent within a minute.";
    return redirectWithToast(`/integrations/${id}`, { title: "Connected", text, tone: "success" });
  } catch (error) {
    return fail(toFailure(error).explanation());
  }
}
