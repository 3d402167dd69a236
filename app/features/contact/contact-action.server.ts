import { data, redirect } from "react-router";

import { fieldText } from "#app/services/base/form-fields.ts";
import type { FormFields } from "#app/services/base/form-fields.ts";
import { formatWait } from "#app/services/base/format.ts";
import { checkSchema, formAction } from "#app/services/forms/form-action.server.ts";
import type { ActionArgs } from "#app/services/forms/form-action.server.ts";
import { requestId, services, viewer } from "#app/services/http/context.ts";
import type { Services } from "#app/services/http/context.ts";

import { contactAddress, contactMail } from "./contact-mail.server.ts";
import { sendMessage } from "./data.server.ts";
import { failures, messages, tooManyMessages } from "./messages.ts";
import { classifyFormAge, formAge, honeypotField, sentNoticeMs } from "./rules.ts";
import { contactSchema } from "./schema.ts";

/** Sends the message and redirects to the confirmation, or returns the form with everything that was typed. */
export async function handleContactForm(args: ActionArgs) {
  const to = contactAddress(services(args.context));
  if (to === undefined) return data(undefined, 503);
  return formAction(args, {
    read: readContactForm,
    check: (typed) => checkSchema(contactSchema, typed),
    run: async (message, { all, context, values, text, origin, refuse }) => {
      const { sign, clock, log, config } = all;
      if (text(honeypotField) !== "") {
        log.info({ id: requestId(context) }, "the honeypot of the contact form was filled in; nothing was sent");
        return redirectToSent(all);
      }
      const openedAt = readStamp(sign, "form", values.stamp);
      const age = openedAt === undefined ? "too-old" : classifyFormAge(openedAt, clock());
      if (age === "too-new") return refuse({ problem: messages.tooNew });
      if (age === "too-old")
        return refuse({ problem: messages.tooOld, values: { ...values, stamp: readyFormStamp(all) } });
      const user = viewer(context);
      const isSignedIn = user?.isConfirmed === true && user.email === message.email.toLowerCase();
      const mail = contactMail(message, { to, host: new URL(config.baseUrl).host, isSignedIn });
      const result = await sendMessage(all, { message, mail, stamp: values.stamp, address: origin.address });
      if (result.kind !== "rate-limited") return redirectToSent(all);
      return refuse({ problem: tooManyMessages(formatWait(result.until, clock())) }, 429);
    },
    failure: { event: "could not store a message to the operator", ...failures },
  });
}

/** The form as it was typed, with the stamp to submit it with. */
function readContactForm(form: FormFields) {
  const text = (name: string) => fieldText(form, name);
  return { name: text("name"), email: text("email"), message: text("message"), stamp: text("stamp") };
}

/** The stamp of a form that is opened now. */
export function newFormStamp({ sign, clock }: Services): string {
  return makeStamp(sign, "form", clock());
}

/** The stamp of a form that is already filled in: it can be submitted at once. */
function readyFormStamp({ sign, clock }: Services): string {
  return makeStamp(sign, "form", clock() - formAge.min);
}

/** Whether `sent`, the query parameter of the confirmation page, was issued by us within the last hour. */
export function isSentStamp({ sign, clock }: Services, sent: string | null): boolean {
  const at = sent === null ? undefined : readStamp(sign, "sent", sent);
  return at !== undefined && Math.abs(clock() - at) < sentNoticeMs;
}

function redirectToSent({ sign, clock }: Services) {
  return redirect(`/contact?sent=${makeStamp(sign, "sent", clock())}`, 303);
}

type SignFunction = (purpose: string, text: string) => string;

/** A signed time (epoch milliseconds): when a form was opened, or its message sent. */
export function makeStamp(sign: SignFunction, purpose: StampPurpose, at: number): string {
  return `${at}.${sign(`contact ${purpose}`, String(at))}`;
}

/** The time in a stamp that we signed for this purpose; undefined for any other text. */
export function readStamp(sign: SignFunction, purpose: StampPurpose, stamp: string): number | undefined {
  const [digits = ""] = stamp.split(".", 1);
  if (!/^\d{1,15}$/.test(digits)) return undefined;
  return stamp === makeStamp(sign, purpose, Number(digits)) ? Number(digits) : undefined;
}

export type StampPurpose = "form" | "sent";
