import { requireFreshForm } from "#app/services/auth/reauthentication/reauthentication.server.ts";
import { limitForm } from "#app/services/forms/form-action.server.ts";
import type { SentForm } from "#app/services/forms/form-action.server.ts";
import { redirectWithToast } from "#app/services/http/toast.server.ts";

import { calendarPath, createFeed, revokeFeed } from "./data.server.ts";

const page = "/leads/notifications#calendar";

/** Creates or replaces the secret address of an owner, which is shown once. */
export async function createCalendar(sent: SentForm): Promise<{ calendarUrl: string } | Response> {
  const { all, ownerId, origin } = sent;
  requireFreshForm(sent.context, { path: page, fields: { intent: "create-calendar" } });
  const wait = await limitForm(sent, createLimit);
  if (wait) return redirectWithToast(page, { title: "Too many addresses", text: `Try again ${wait}.`, tone: "error" });
  const token = await createFeed(all, { ownerId, origin });
  return token === undefined
    ? redirectWithToast(page, { title: "Nothing was created", tone: "error" })
    : { calendarUrl: all.config.baseUrl + calendarPath(token) };
}

export async function revokeCalendar({ all, ownerId, origin }: SentForm) {
  await revokeFeed(all, { ownerId, origin });
  return redirectWithToast(page, {
    title: "Calendar address revoked",
    text: "Calendars that use it stop updating.",
    tone: "success",
  });
}

/** Each is mailed and logged. */
const createLimit = { name: "calendar addresses of an account", max: 20, windowMs: 3_600_000 };
