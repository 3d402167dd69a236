import type { RequestOrigin } from "#app/services/auth/audit/security-events.server.ts";
import type { Services } from "#app/services/http/context.ts";
import { redirectWithToast } from "#app/services/http/toast.server.ts";

import { calendarPath, createFeed, revokeFeed } from "./data.server.ts";

/** A new secret address, shown once. */
export type CalendarResult = { calendarUrl: string };

/** Creates, replaces or ends the secret address of an owner; `returnTo` is the page with the form. */
export async function changeFeed(
  services: Services,
  { ownerId, origin, intent, returnTo }: FeedRequest,
): Promise<CalendarResult | Response> {
  if (intent === "revoke-calendar") {
    await revokeFeed(services, { ownerId, origin });
    return redirectWithToast(returnTo, {
      title: "Calendar address revoked",
      text: "Calendars get nothing more from it.",
      tone: "success",
    });
  }
  const token = await createFeed(services, { ownerId, origin });
  return token === undefined
    ? redirectWithToast(returnTo, { title: "Nothing was created", tone: "error" })
    : { calendarUrl: services.config.baseUrl + calendarPath(token) };
}

type FeedRequest = {
  ownerId: string;
  origin: RequestOrigin;
  intent: "create-calendar" | "revoke-calendar";
  returnTo: string;
};
