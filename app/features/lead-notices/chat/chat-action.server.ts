import { data } from "react-router";
import { z } from "zod";

import { requireFreshForm } from "#app/services/auth/reauthentication/reauthentication.server.ts";
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
  chat: { typed?: TypedChat; error?: string; test?: { isAccepted: boolean; text: string } };
};

/** The form as it was typed, without what isn't a choice. */
export type TypedChat = { url: string } & Partial<z.infer<typeof chatForm>>;

type ChatRequest = { ownerId: string; origin: RequestOrigin; form: FormFields };
type Context = Parameters<typeof requireFreshForm>[0];

const page = "/leads/notifications#chat";
const maxUrlLength = 500;
const testLimit = { name: "test messages to a chat", max: 10, windowMs: 3_600_000 };
const changeLimit = { name: "changes of a chat", max: 20, windowMs: 3_600_000 };

const chatForm = z.object({ timing: z.enum(["now", "daily"]), hour: z.coerce.number().int().min(0).max(23) });

/** An empty address leaves the stored one as it is: it is never shown again. */
export async function changeChat(all: Services, context: Context, { ownerId, origin, form }: ChatRequest) {
  const { url: address, ...choice } = chatFields(form);
  const read = chatForm.safeParse(choice);
  if (!read.success) throw data(null, { status: 400 });
  const typed: TypedChat = { url: address, ...read.data };
  const error = address === "" ? undefined : urlProblem(address, all.isSendable);
  const reject = (problem: string, status = 400) => data<ChatResult>({ chat: { typed, error: problem } }, { status });
  if (error) return reject(error);
  const { timing, hour } = read.data;
  const fields = { intent: "save-chat", url: address, timing, hour: String(hour) };
  if (address !== "") requireFreshForm(context, { path: page, fields });
  // Each is mailed and logged.
  const exceeded = await all.rateLimits.consume([{ limit: changeLimit, subject: ownerId }]);
  if (exceeded) return reject(`Too many changes. Try again ${formatWait(exceeded.until, all.clock())}.`, 429);
  const url = address === "" ? undefined : new URL(address).href;
  if (!(await saveChat(all, { ownerId, url, timing, hour, origin })))
    return reject("Paste the address of an incoming webhook.");
  return redirectWithToast(page, { title: "Saved", tone: "success" });
}

/** What was typed, from the fields of the form. */
export function readTypedChat({ url = "", ...choice }: Record<string, string>): TypedChat {
  return { url, ...chatForm.safeParse(choice).data };
}

function chatFields(form: FormFields): { url: string; timing: string; hour: string } {
  return { url: fieldText(form, "url").trim(), timing: fieldText(form, "timing"), hour: fieldText(form, "hour") };
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
    data<ChatResult>({ chat: { typed: readTypedChat(chatFields(form)), test: { isAccepted, text } } });
  if (exceeded) return show(false, `Too many test messages. Try again ${formatWait(exceeded.until, all.clock())}.`);
  const outcome = await sendToChat(all, {
    ownerId,
    text: `A test from Meishi at ${new URL(all.config.baseUrl).host}.`,
  });
  if (!outcome) return show(false, "Save an address first.");
  return outcome.kind === "sent" ? show(true, "The chat accepted the message.") : show(false, outcome.full);
}
