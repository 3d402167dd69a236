import { requireFreshForm } from "#app/services/auth/reauthentication/reauthentication.server.ts";
import type { RequestOrigin } from "#app/services/auth/audit/security-events.server.ts";
import { formatWait } from "#app/services/base/format.ts";
import type { Services } from "#app/services/http/context.ts";
import { redirectWithToast } from "#app/services/http/toast.server.ts";

import { calendarPath, createFeed, revokeFeed } from "./data.server.ts";

/** A new secret address, shown once. */
export type CalendarResult = { calendarUrl: string };

/** Creates, replaces or ends the secret address of an owner; `returnTo` is the page with the form. */
export async function changeFeed(
  services: Services,
  context: Parameters<typeof requireFreshForm>[0],
  { ownerId, origin, intent, returnTo }: FeedRequest,
): Promise<CalendarResult | Response> {
  if (intent === "revoke-calendar") {
    await revokeFeed(services, { ownerId, origin });
    return redirectWithToast(returnTo, {
      title: "Calendar address revoked",
      text: "Calendars that use it stop updating.",
      tone: "success",
    });
  }
  requireFreshForm(context, { path: returnTo, fields: { intent } });
  const exceeded = await services.rateLimits.consume([{ limit: createLimit, subject: ownerId }]);
  if (exceeded) {
    const text = `Try again ${formatWait(exceeded.until, services.clock())}.`;
    return redirectWithToast(returnTo, { title: "Too many addresses", text, tone: "error" });
  }
  const token = await createFeed(services, { ownerId, origin });
  return token === undefined
    ? redirectWithToast(returnTo, { title: "Nothing was created", tone: "error" })
    : { calendarUrl: services.config.baseUrl + calendarPath(token) };
}

/** Each is mailed and logged. */
const createLimit = { name: "calendar addresses of an account", max: 20, windowMs: 3_600_000 };

type FeedRequest = {
  ownerId: string;
  origin: RequestOrigin;
  intent: "create-calendar" | "revoke-calendar";
  returnTo: string;
};
