import { data } from "react-router";
import { z } from "zod";

import type { RequestOrigin } from "#app/services/auth/audit/security-events.server.ts";
import { fieldText } from "#app/services/base/form-fields.ts";
import type { FormFields } from "#app/services/base/form-fields.ts";
import { formatWait } from "#app/services/base/format.ts";
import type { Services } from "#app/services/http/context.ts";
import { redirectWithToast } from "#app/services/http/toast.server.ts";

import { removeChat, saveChat } from "./chat-data.server.ts";
import { sendToChat } from "./chat-tasks.server.ts";

/** What was typed, when it can't be saved; what the chat answered to a test. */
export type ChatResult = {
  chat: { typed?: string; error?: string; test?: { isAccepted: boolean; text: string } };
};

type ChatRequest = { ownerId: string; origin: RequestOrigin; form: FormFields };

const page = "/leads/notifications#chat";
const maxUrlLength = 500;
const testLimit = { name: "test messages to a chat", max: 10, windowMs: 3_600_000 };
const changeLimit = { name: "changes of a chat", max: 20, windowMs: 3_600_000 };

const chatForm = z.object({ timing: z.enum(["now", "daily"]), hour: z.coerce.number().int().min(0).max(23) });

/** An empty address leaves the stored one as it is: it is never shown again. */
export async function changeChat(all: Services, { ownerId, origin, form }: ChatRequest) {
  const read = chatForm.safeParse({ timing: fieldText(form, "timing"), hour: fieldText(form, "hour") });
  if (!read.success) throw data(null, { status: 400 });
  const typed = fieldText(form, "url").trim();
  const error = typed === "" ? undefined : urlProblem(typed, all.isSendable);
  const reject = (problem: string, status = 400) => data<ChatResult>({ chat: { typed, error: problem } }, { status });
  if (error) return reject(error);
  // Each is mailed and logged.
  const exceeded = await all.rateLimits.consume([{ limit: changeLimit, subject: ownerId }]);
  if (exceeded) return reject(`Too many changes. Try again ${formatWait(exceeded.until, all.clock())}.`, 429);
  const url = typed === "" ? undefined : new URL(typed).href;
  if (!(await saveChat(all, { ownerId, url, ...read.data, origin })))
    return reject("Paste the address of an incoming webhook.");
  return redirectWithToast(page, { title: "Saved", tone: "success" });
}

/** A host that is a name is resolved when a message is sent, and refused then if it isn't on the internet. */
function urlProblem(typed: string, isSendable: (url: string) => boolean): string | undefined {
  const url = URL.parse(typed);
  if (!url || !/^https?:$/.test(url.protocol) || typed.length > maxUrlLength)
    return "Paste the full address, such as https://hooks.slack.com/services/…";
  if (url.protocol !== "https:") return "The address must start with https://.";
  if (url.port !== "" || url.username || url.password) return "The address can't have a port, a user or a password.";
  if (!isSendable(url.href)) return "This address isn't on the internet.";
  return undefined;
}

export async function endChat(all: Services, { ownerId, origin }: ChatRequest) {
  await removeChat(all, { ownerId, origin });
  return redirectWithToast(page, { title: "Chat removed", tone: "success" });
}

/** Sends a message without anything about a lead, and shows what the chat answered. */
export async function testChat(all: Services, { ownerId, form }: ChatRequest) {
  const exceeded = await all.rateLimits.consume([{ limit: testLimit, subject: ownerId }]);
  const show = (isAccepted: boolean, text: string) =>
    data<ChatResult>({ chat: { typed: fieldText(form, "url"), test: { isAccepted, text } } });
  if (exceeded) return show(false, `Too many test messages. Try again ${formatWait(exceeded.until, all.clock())}.`);
  const outcome = await sendToChat(all, {
    ownerId,
    text: `A test from Meishi at ${new URL(all.config.baseUrl).host}.`,
  });
  if (!outcome) return show(false, "Save an address first.");
  return outcome.kind === "sent" ? show(true, "The chat accepted the message.") : show(false, outcome.full);
}
