import { data } from "react-router";

import { requireFreshForm } from "#app/services/auth/reauthentication/reauthentication.server.ts";
import { findProfile } from "#app/features/profile/data.server.ts";
import { fieldId } from "#app/services/base/form-fields.ts";
import { plainLine } from "#app/services/base/plain-text.ts";
import type { SentForm } from "#app/services/forms/form-action.server.ts";
import { redirectWithToast } from "#app/services/http/toast.server.ts";
import { isMailAddress } from "#app/services/mail/mail.server.ts";

import { addForward, maxForwards, removeForward } from "./forwards-data.server.ts";
import type { AddForwardResult } from "./forwards-data.server.ts";

/** An address that can't be added, as it was typed. */
export type ForwardRejection = { forward: { typed: string; error: string } };

const page = "/leads/notifications#forwarding";
const maxAddressLength = 254;

export async function addAddress({ all, context, ownerId, origin, text }: SentForm) {
  const typed = text("address");
  const address = plainLine(typed);
  const reject = (error: string, status = 400) => data<ForwardRejection>({ forward: { typed, error } }, { status });
  if (!isMailAddress(address) || address.length > maxAddressLength)
    return reject("Enter a valid email address, such as name@example.com.");
  requireFreshForm(context, { path: page, fields: { intent: "add-forward", address } });
  const name = (await findProfile(all.db, ownerId))?.displayName ?? "";
  const result = await addForward(all, { ownerId, address, name, origin });
  if (result !== "added") return reject(problems[result], result === "limited" ? 429 : 400);
  return redirectWithToast(page, {
    title: "Confirmation email sent",
    text: "Leads are forwarded once someone there confirms it.",
    tone: "success",
  });
}

const problems: Record<Exclude<AddForwardResult, "added">, string> = {
  known: "This address is already on the list.",
  "too-many": `Leads are forwarded to at most ${maxForwards} addresses. Remove one first.`,
  limited: "Too many confirmation emails were sent. Try again tomorrow.",
  gone: "This account was deleted.",
};

export async function removeAddress({ all, ownerId, origin, form }: SentForm) {
  await removeForward(all, { ownerId, id: fieldId(form, "id"), origin });
  return redirectWithToast(page, { title: "Address removed", tone: "success" });
}
