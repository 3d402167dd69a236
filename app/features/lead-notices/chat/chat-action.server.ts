import { data } from "react-router";
import { z } from "zod";

import { requireFreshForm } from "#app/services/auth/reauthentication/reauthentication.server.ts";
import { limitForm } from "#app/services/forms/form-action.server.ts";
import type { SentForm } from "#app/services/forms/form-action.server.ts";
import { redirectWithToast } from "#app/services/http/toast.server.ts";

import { removeChat, saveChat } from "./chat-data.server.ts";
import { sendToChat } from "./chat-tasks.server.ts";

/** What was typed, when it can't be saved; what the chat answered to a test. */
export type ChatResult = {
  chat: { typed?: TypedChat; error?: string; test?: { isAccepted: boolean; text: string } };
};

/** The form as it was typed, without what isn't a choice. */
export type TypedChat = { url: string } & Partial<z.infer<typeof chatForm>>;

const page = "/leads/notifications#chat";
const maxUrlLength = 500;
const testLimit = { name: "test messages to a chat", max: 10, windowMs: 3_600_000 };
const changeLimit = { name: "changes of a chat", max: 20, windowMs: 3_600_000 };

const chatForm = z.object({ timing: z.enum(["now", "daily"]), hour: z.coerce.number().int().min(0).max(23) });

/** An empty address leaves the stored one as it is: it is never shown again. */
export async function changeChat(sent: SentForm) {
  const { all, ownerId, origin } = sent;
  const { url: address, ...choice } = chatFields(sent);
  const read = chatForm.safeParse(choice);
  if (!read.success) throw data(null, { status: 400 });
  const typed: TypedChat = { url: address, ...read.data };
  const error = address === "" ? undefined : urlProblem(address, all.isSendable);
  const reject = (problem: string, status = 400) => data<ChatResult>({ chat: { typed, error: problem } }, { status });
  if (error) return reject(error);
  const { timing, hour } = read.data;
  const fields = { intent: "save-chat", url: address, timing, hour: String(hour) };
  if (address !== "") requireFreshForm(sent.context, { path: page, fields });
  // Each is mailed and logged.
  const wait = await limitForm(sent, changeLimit);
  if (wait) return reject(`Too many changes. Try again ${wait}.`, 429);
  const url = address === "" ? undefined : new URL(address).href;
  if (!(await saveChat(all, { ownerId, url, timing, hour, origin })))
    return reject("Paste the address of an incoming webhook.");
  return redirectWithToast(page, { title: "Saved", tone: "success" });
}

/** What was typed, from the fields of the form. */
export function readTypedChat({ url = "", ...choice }: Record<string, string>): TypedChat {
  return { url, ...chatForm.safeParse(choice).data };
}

function chatFields({ text }: SentForm): { url: string; timing: string; hour: string } {
  return { url: text("url").trim(), timing: text("timing"), hour: text("hour") };
}

/** A host that is a name is resolved when a message is sent, and refused then if it isn't on the internet. */
function urlProblem(typed: string, isSendable: (url: string) => boolean): string | undefined {
  const url = URL.parse(typed);
  if (!url || !/^https?:$/.test(url.protocol) || typed.length > maxUrlLength)
    return "Paste the full address, such as https://hooks.slack.com/services/…";
  if (url.protocol !== "https:") return "The address must start with https://.";
  if (url.port !== "" || url.username || url.password) return "The address can’t have a port, a user or a password.";
  if (!isSendable(url.href)) return "This address isn’t on the internet.";
  return undefined;
}

export async function endChat({ all, ownerId, origin }: SentForm) {
  await removeChat(all, { ownerId, origin });
  return redirectWithToast(page, { title: "Chat removed", tone: "success" });
}

/** Sends a message without anything about a lead, and shows what the chat answered. */
export async function testChat(sent: SentForm) {
  const { all, ownerId } = sent;
  const show = (isAccepted: boolean, text: string) =>
    data<ChatResult>({ chat: { typed: readTypedChat(chatFields(sent)), test: { isAccepted, text } } });
  const wait = await limitForm(sent, testLimit);
  if (wait) return show(false, `Too many test messages. Try again ${wait}.`);
  const text = `A test from Meishi at ${new URL(all.config.baseUrl).host}.`;
  const outcome = await sendToChat(all, { ownerId, text });
  if (!outcome) return show(false, "Save an address first.");
  return outcome.kind === "sent" ? show(true, "The chat accepted the message.") : show(false, outcome.full);
}
