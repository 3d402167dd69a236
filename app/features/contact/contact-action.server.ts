import { data, redirect } from "react-router";

import type { Viewer } from "#app/services/auth/sessions/viewer.server.ts";
import { fieldText } from "#app/services/base/form-fields.ts";
import type { FormFields } from "#app/services/base/form-fields.ts";
import { formatWait } from "#app/services/base/format.ts";
import type { Services } from "#app/services/http/context.ts";
import { reportWriteFailure } from "#app/services/http/save-response.server.ts";

import { contactAddress, contactMail } from "./contact-mail.server.ts";
import { sendMessage } from "./data.server.ts";
import { messages, tooManyMessages } from "./messages.ts";
import { classifyFormAge, formAge, honeypotField, sentNoticeMs } from "./rules.ts";
import { contactSchema, fieldErrors } from "./schema.ts";
import type { ContactErrors, ContactField } from "./schema.ts";

/** A refused form: what was typed, its errors, and the stamp to submit it with. */
export type ContactResult = {
  typed: Record<ContactField, string>;
  errors: ContactErrors;
  notice?: { title: string; text: string };
  stamp: string;
};

type ContactRequest = {
  services: Services;
  /** The request's id in the log. */
  id: string;
  form: FormFields;
  viewer: Viewer | undefined;
  /** The visitor's network address. */
  address: string;
};

/** Sends the message and redirects to the confirmation, or returns the form with everything that was typed. */
export async function handleContactForm({ services, id, form, viewer, address }: ContactRequest) {
  const { sign, clock, log, config } = services;
  const typed = { name: fieldText(form, "name"), email: fieldText(form, "email"), message: fieldText(form, "message") };
  const stamp = fieldText(form, "stamp");
  const refuse = (result: Partial<ContactResult>, status: number) =>
    data<ContactResult>({ typed, errors: {}, stamp, ...result }, { status });

  const to = contactAddress(services);
  if (to === undefined) return refuse({}, 503);
  const parsed = contactSchema.safeParse(typed);
  if (!parsed.success) return refuse({ errors: fieldErrors(parsed.error) }, 400);
  if (fieldText(form, honeypotField) !== "") {
    log.info({ id }, "the honeypot of the contact form was filled in; nothing was sent");
    return redirectToSent(services);
  }
  const openedAt = readStamp(sign, "form", stamp);
  const age = openedAt === undefined ? "too-old" : classifyFormAge(openedAt, clock());
  if (age === "too-new") return refuse({ notice: messages.tooNew }, 400);
  if (age === "too-old") return refuse({ notice: messages.tooOld, stamp: readyFormStamp(services) }, 400);
  try {
    const isSignedIn = viewer?.isConfirmed === true && viewer.email === parsed.data.email.toLowerCase();
    const mail = contactMail(parsed.data, { to, host: new URL(config.baseUrl).host, isSignedIn });
    const result = await sendMessage(services, { message: parsed.data, mail, stamp, address });
    if (result.kind !== "rate-limited") return redirectToSent(services);
    return refuse({ notice: tooManyMessages(formatWait(result.until, clock())) }, 429);
  } catch (error) {
    const { status, message } = reportWriteFailure<{ title: string; text: string }>(log, error, {
      event: "could not store a message to the operator",
      diskFull: messages.noRoom,
      outcomeUnknown: messages.outcomeUnknown,
      unexpected: messages.broken,
    });
    return refuse({ notice: message }, status);
  }
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
