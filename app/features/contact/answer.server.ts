import { data, redirect } from "react-router";

import { contactAddress } from "#app/features/content/contact-address.server.ts";
import type { Services, Viewer } from "#app/services/context.ts";
import { isDiskFull } from "#app/services/database.server.ts";

import { sendMessage } from "./data.server.ts";
import { contactForm, fieldErrors } from "./form.ts";
import type { FieldErrors, FieldName } from "./form.ts";
import { contactMail } from "./mail.ts";
import { messages, tooManyMessages } from "./messages.ts";
import { formAge, formAgeOf, inMinutes, sentFor, trapField } from "./rules.ts";
import { makeStamp, readStamp } from "./stamp.ts";

/** The form again: what was typed, what is wrong with it, and the stamp to send it with. */
export type ContactAnswer = {
  typed: Record<FieldName, string>;
  errors: FieldErrors;
  notice?: { title: string; text: string };
  stamp: string;
};

type Asked = {
  services: Services;
  /** What the log calls this request. */
  id: string;
  form: FormData;
  viewer: Viewer | undefined;
  /** The network address of who asks. */
  address: string;
};

/** The answer to the form: on to the page that says "sent", or the form again with all that was typed. */
export async function answerContact({ services, id, form, viewer, address }: Asked) {
  const { sign, clock, log, config } = services;
  const typed = { name: textOf(form, "name"), email: textOf(form, "email"), message: textOf(form, "message") };
  const stamp = textOf(form, "stamp");
  const again = (answer: Partial<ContactAnswer>, status: number) =>
    data<ContactAnswer>({ typed, errors: {}, stamp, ...answer }, { status });

  const to = contactAddress(services);
  if (to === undefined) return again({}, 503);
  const read = contactForm.safeParse(typed);
  if (!read.success) return again({ errors: fieldErrors(read.error) }, 400);
  if (textOf(form, trapField) !== "") {
    log.info({ id }, "a program filled in the contact form; nothing was sent");
    return sentAnswer(services);
  }
  const madeAt = readStamp(sign, "form", stamp);
  const age = madeAt === undefined ? "too-old" : formAgeOf(madeAt, clock());
  if (age === "too-new") return again({ notice: messages.tooNew }, 400);
  if (age === "too-old") return again({ notice: messages.tooOld, stamp: readyStamp(services) }, 400);
  try {
    const isMember = viewer?.isConfirmed === true && viewer.email === read.data.email.toLowerCase();
    const mail = contactMail(read.data, { to, host: new URL(config.baseUrl).host, isMember });
    const result = await sendMessage(services, { message: read.data, mail, stamp, address });
    if (result.kind !== "too-often") return sentAnswer(services);
    return again({ notice: tooManyMessages(inMinutes(result.until, clock())) }, 429);
  } catch (error) {
    log.error({ err: error, id }, "a message to the operator could not be kept");
    return isDiskFull(error) ? again({ notice: messages.noRoom }, 503) : again({ notice: messages.broken }, 500);
  }
}

/** For a form that is opened now. */
export function freshStamp({ sign, clock }: Services): string {
  return makeStamp(sign, "form", clock());
}

/** For a form that a person has filled in already: it may be sent at once. */
function readyStamp({ sign, clock }: Services): string {
  return makeStamp(sign, "form", clock() - formAge.least);
}

/** Whether this address of the page was given by us, to somebody who sent something within the hour. */
export function isSentAddress({ sign, clock }: Services, sent: string | null): boolean {
  const at = sent === null ? undefined : readStamp(sign, "sent", sent);
  return at !== undefined && Math.abs(clock() - at) < sentFor;
}

function sentAnswer({ sign, clock }: Services) {
  return redirect(`/contact?sent=${makeStamp(sign, "sent", clock())}`, 303);
}

/** Of two fields with one name the first; "" for a file, and where there is none. */
function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}
