import { data } from "react-router";

import type { Services } from "#app/services/context.ts";
import { isDiskFull } from "#app/services/database.server.ts";
import { redirectWithToast } from "#app/services/toast.server.ts";

import { refusePassword, resendConfirmation, signIn, signUp } from "./data.server.ts";
import { credentialsForm, fieldErrors } from "./form.ts";
import type { FieldErrors } from "./form.ts";
import { messages, tooManyMails, tooManySignIns } from "./messages.ts";
import { inMinutes } from "./rules.ts";

/** What the page of signing in shows after a form was sent: the form again with what was typed, or where the link went. */
export type AuthAnswer =
  | { kind: "refused"; tab: AuthTab; email: string; errors: FieldErrors; notice?: Words; pending?: string }
  | { kind: "check-email"; email: string; pending: string; notice?: Words & { tone: "success" | "error" } };

export type AuthTab = "login" | "signup";
type Words = { title: string; text?: string };

export type Asked = {
  services: Services;
  /** What the log calls this request. */
  id: string;
  fields: Record<string, string>;
  /** The network address of who asks. */
  address: string;
  headers: Headers;
  /** Where to go when signed in: a path on this site. */
  returnTo: string;
};

/** The answer to a form of the page of signing in; also when the database can't: the crash page would take along what was typed. */
export async function answerForm(asked: Asked) {
  const { fields } = asked;
  try {
    if (fields.intent === "sign-up") return await answerSignUp(asked);
    if (fields.intent === "resend") return await answerResend(asked);
    return await answerLogIn(asked);
  } catch (error) {
    const { notice, status } = failureOf(asked, error);
    const tab = fields.intent === "sign-up" ? "signup" : "login";
    const pending = fields.intent === "resend" && fields.pending ? { pending: fields.pending } : {};
    return refuse({ kind: "refused", tab, email: fields.email ?? "", errors: {}, notice, ...pending }, status);
  }
}

/** What to say of an error that nobody expected; the log has the rest. */
export function failureOf({ services, id }: Pick<Asked, "services" | "id">, error: unknown) {
  services.log.error({ err: error, id }, "an account's form could not be answered");
  return isDiskFull(error) ? { notice: messages.noRoom, status: 503 } : { notice: messages.broken, status: 500 };
}

async function answerLogIn({ services, fields, address, headers, returnTo }: Asked) {
  const refused = (errors: FieldErrors, more: { notice?: Words; pending?: string; status?: number } = {}) =>
    refuse({ kind: "refused", tab: "login", email: fields.email ?? "", errors, ...more }, more.status);

  const form = credentialsForm.safeParse(fields);
  if (!form.success) return refused(fieldErrors(form.error));
  const result = await signIn(services, { ...form.data, address, headers });
  switch (result.kind) {
    case "too-often":
      return refused({}, { notice: tooManySignIns(inMinutes(result.until, services.clock())), status: 429 });
    case "refused":
      return refused({ password: messages.wrongPassword });
    case "signed-in":
      return redirectWithToast(returnTo, { title: messages.signedIn, tone: "success" }, cookieHeaders(result.cookies));
  }
}

async function answerSignUp({ services, fields, address }: Asked) {
  const refused = (errors: FieldErrors, more: { notice?: Words; status?: number } = {}) =>
    refuse({ kind: "refused", tab: "signup", email: fields.email ?? "", errors, ...more }, more.status);

  if (!services.mail.isConfigured) return refused({}, { status: 503 });
  const form = credentialsForm.safeParse(fields);
  if (!form.success) return refused(fieldErrors(form.error));
  const { email, password } = form.data;
  const fault = refusePassword(password, email);
  if (fault) return refused({ password: fault });
  const result = await signUp(services, { email, password, address });
  if (result.kind === "too-often") {
    return refused({}, { notice: tooManyMails(inMinutes(result.until, services.clock())), status: 429 });
  }
  return data<AuthAnswer>({ kind: "check-email", email, pending: result.pending });
}

async function answerResend({ services, fields, address }: Asked) {
  const pending = fields.pending ?? "";
  const result = await resendConfirmation(services, { pending, address });
  const { email } = result;
  switch (result.kind) {
    case "gone":
      return refuse({ kind: "refused", tab: "login", email, errors: {}, notice: messages.signUpGone }, 410);
    case "too-often": {
      const notice = { tone: "error" as const, ...tooManyMails(inMinutes(result.until, services.clock())) };
      return data<AuthAnswer>({ kind: "check-email", email, pending, notice }, 429);
    }
    case "sent":
      return data<AuthAnswer>({
        kind: "check-email",
        email,
        pending,
        notice: { tone: "success", title: messages.resent },
      });
  }
}

function refuse(answer: AuthAnswer, status = 400) {
  return data<AuthAnswer>(answer, status);
}

export function cookieHeaders(cookies: string[]): Headers {
  return new Headers(cookies.map((cookie): [string, string] => ["set-cookie", cookie]));
}
