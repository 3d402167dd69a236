import { data, redirect } from "react-router";

import { requestEmailSignIn } from "#app/features/account/email-sign-in/email-sign-in-data.server.ts";
import {
  findPasswordError,
  findSignedInPath,
  limitSignUpForm,
  resendConfirmation,
  signIn,
  signUp,
} from "#app/features/account/data.server.ts";
import { signInWithPasskey } from "#app/features/account/factors/factor-data.server.ts";
import { factorMessages } from "#app/features/account/factors/factor-messages.ts";
import {
  messages,
  tooManyCallbacksMessage,
  tooManyMailsMessage,
  tooManySignInsMessage,
} from "#app/features/account/messages.ts";
import { firstPath, verifyPath } from "#app/services/auth/return-to.ts";
import { credentialsForm, emailForm, fieldErrors } from "#app/features/account/schema.ts";
import type { FieldErrors } from "#app/features/account/schema.ts";
import { formatWait } from "#app/services/base/format.ts";
import type { Services } from "#app/services/http/context.ts";
import { logSecurityEvent } from "#app/services/http/request-log.server.ts";
import { reportWriteFailure } from "#app/services/http/save-response.server.ts";
import type { WriteFailure } from "#app/services/http/save-response.server.ts";
import { redirectWithToast } from "#app/services/http/toast.server.ts";

import {
  acceptInvitation,
  acceptedInvitation,
  findAcceptedInvitation,
  signUpCookie,
} from "./sign-up/sign-up-data.server.ts";

/** The result of a form on the sign-in page: the rejected form with its values, or the address that got the link. */
export type AuthResult =
  | { kind: "refused"; tab: AuthTab; email: string; errors: FieldErrors; notice?: NoticeText; pending?: string }
  | { kind: "check-email"; email: string; pending: string; notice?: NoticeText & { tone: "success" | "error" } };

export type AuthTab = "login" | "signup";
type NoticeText = { title: string; text?: string };

export type AuthRequest = {
  services: Services;
  fields: Record<string, string>;
  /** The network address of the request. */
  address: string;
  headers: Headers;
  /** The path to open after signing in, if it isn't the usual one. */
  returnTo: string | undefined;
  /** The draft card for the first steps of a new account. */
  draft: string | undefined;
};

/** Handles the forms on the sign-in page. A failure is reported on the form, because an error page would lose the typed values. */
export async function respondToAuthForm(request: AuthRequest) {
  const { services, fields } = request;
  try {
    if (fields.intent === "sign-up") return await respondToSignUp(request);
    if (fields.intent === "email-sign-in") return await respondToEmailRequest(request);
    if (fields.intent === "resend") return await respondToResend(request);
    if (fields.intent === "passkey") return await respondToPasskey(request);
    return await respondToLogIn(request);
  } catch (error) {
    const { notice, status } = reportFailure(services, error);
    const tab = fields.intent === "sign-up" ? "signup" : "login";
    const pending = fields.intent === "resend" && fields.pending ? { pending: fields.pending } : {};
    return rejectForm({ kind: "refused", tab, email: fields.email ?? "", errors: {}, notice, ...pending }, status);
  }
}

/** What is logged when an account form fails, and what its user reads. */
export const accountFailure: WriteFailure<NoticeText> = {
  event: "an account form could not be handled",
  diskFull: messages.diskFull,
  outcomeUnknown: messages.outcomeUnknown,
  unexpected: messages.serverError,
};

/** Logs an unexpected error and returns what to tell the user. */
export function reportFailure({ log }: Pick<Services, "log">, error: unknown) {
  const { status, message } = reportWriteFailure(log, error, accountFailure);
  return { notice: message, status };
}

async function respondToLogIn({ services, fields, address, headers, returnTo }: AuthRequest) {
  const { auth, log, clock } = services;
  const refused = (errors: FieldErrors, more: { notice?: NoticeText; status?: number } = {}) =>
    rejectForm({ kind: "refused", tab: "login", email: fields.email ?? "", errors, ...more }, more.status);

  const form = credentialsForm.safeParse(fields);
  if (!form.success) return refused(fieldErrors(form.error));
  const result = await signIn(services, { ...form.data, address, headers });
  const account = await auth.findUserId(form.data.email);
  switch (result.kind) {
    case "rate-limited":
      return refused({}, { notice: tooManySignInsMessage(formatWait(result.until, clock())), status: 429 });
    case "refused":
      logSecurityEvent(log, { event: "sign-in-refused", account });
      return refused({ password: messages.wrongPassword });
    case "blocked":
      logSecurityEvent(log, { event: "sign-in-refused", account });
      return refused({}, { notice: messages.accountBlocked, status: 403 });
    case "second-factor":
      return redirect(verifyPath(returnTo), { headers: cookieHeaders(result.cookies) });
    case "signed-in":
      logSecurityEvent(log, { event: "signed-in", account });
      return redirectWithToast(
        returnTo ?? (await findSignedInPath(services, account)),
        { title: messages.signedIn, tone: "success" },
        cookieHeaders(result.cookies),
      );
  }
}

/** Leads to the page for the code. */
async function respondToEmailRequest({ services, fields, address, headers, returnTo }: AuthRequest) {
  const refused = (errors: FieldErrors, more: { notice?: NoticeText; status?: number } = {}) =>
    rejectForm({ kind: "refused", tab: "login", email: fields.email ?? "", errors, ...more }, more.status);

  if (!services.mail.isConfigured) return refused({}, { notice: messages.noMail, status: 503 });
  const form = emailForm.safeParse(fields);
  if (!form.success) return refused(fieldErrors(form.error));
  const { email } = form.data;
  const result = await requestEmailSignIn(services, { email, returnTo, address, headers });
  if (result.kind === "sent") return redirect("/auth/code", { headers: cookieHeaders(result.cookies) });
  return refused({}, { notice: tooManyMailsMessage(formatWait(result.until, services.clock())), status: 429 });
}

/** A passkey signs in without the address: it knows its account. */
async function respondToPasskey({ services, fields, address, headers, returnTo }: AuthRequest) {
  const refused = (notice: NoticeText, status?: number) =>
    rejectForm({ kind: "refused", tab: "login", email: fields.email ?? "", errors: {}, notice }, status);

  const result = await signInWithPasskey(services, { response: fields.credential ?? "", address, headers });
  if (result.kind === "rate-limited")
    return refused(tooManySignInsMessage(formatWait(result.until, services.clock())), 429);
  if (result.kind !== "signed-in") {
    logSecurityEvent(services.log, { event: "sign-in-refused" });
    return result.kind === "blocked" ? refused(messages.accountBlocked, 403) : refused(factorMessages.wrongPasskey);
  }
  logSecurityEvent(services.log, { event: "signed-in", account: result.userId });
  const toast = { title: messages.signedIn, tone: "success" } as const;
  return redirectWithToast(
    returnTo ?? (await findSignedInPath(services, result.userId)),
    toast,
    cookieHeaders(result.cookies),
  );
}

async function respondToSignUp(request: AuthRequest) {
  const { services, fields, address, returnTo, draft } = request;
  const refused = (errors: FieldErrors, more: { notice?: NoticeText; status?: number } = {}) =>
    rejectForm({ kind: "refused", tab: "signup", email: fields.email ?? "", errors, ...more }, more.status);

  const invitation = await findAcceptedInvitation(services, request.headers);
  if (invitation) return respondToInvited(request, { ...invitation, refused });
  // The same for every address, before anything about it is read.
  if (services.config.signUp !== "open") return refused({}, { status: 403 });
  if (!services.mail.isConfigured) return refused({}, { status: 503 });
  const form = credentialsForm.safeParse(fields);
  if (!form.success) return refused(fieldErrors(form.error));
  const { email, password } = form.data;
  const limited = await limitSignUpForm(services, { address });
  const problem = limited ? undefined : await findPasswordError(services, { password, email });
  if (problem) return refused({ password: problem });
  const result = limited ?? (await signUp(services, { email, password, address, returnTo, draft }));
  if (result.kind === "rate-limited") {
    return refused({}, { notice: tooManyMailsMessage(formatWait(result.until, services.clock())), status: 429 });
  }
  const headers = cookieHeaders([...result.cookies, signUpCookie(services, result.pending)]);
  return data<AuthResult>({ kind: "check-email", email, pending: result.pending }, { headers });
}

type Refuse = (errors: FieldErrors, more?: { notice?: NoticeText; status?: number }) => ReturnType<typeof rejectForm>;

/** The link of the invitation has confirmed its address, so the account can be used at once. */
async function respondToInvited(
  { services, fields, address, headers, returnTo }: AuthRequest,
  { token, email, refused }: { token: string; email: string; refused: Refuse },
) {
  const form = credentialsForm.safeParse(fields);
  if (!form.success) return refused(fieldErrors(form.error));
  if (form.data.email !== email) return refused({ email: messages.otherInvitation(email) });
  const { password } = form.data;
  const problem = await findPasswordError(services, { password, email });
  if (problem) return refused({ password: problem });
  const result = await acceptInvitation(services, { token, password, address, headers });
  switch (result.kind) {
    case "rate-limited":
      return refused({}, { notice: tooManyCallbacksMessage(formatWait(result.until, services.clock())), status: 429 });
    case "gone":
      return refused({}, { notice: messages.invitationGone, status: 410 });
    case "signed-in": {
      logSecurityEvent(services.log, { event: "signed-in", account: result.userId });
      const toast = { title: messages.confirmed.text, tone: "success" } as const;
      const cookies = cookieHeaders([...result.cookies, acceptedInvitation(services, "")]);
      return redirectWithToast(returnTo ?? firstPath, toast, cookies);
    }
    default:
      return refused({}, { notice: messages.invitationHasAccount, status: 409 });
  }
}

async function respondToResend({ services, fields, address }: AuthRequest) {
  const pending = fields.pending ?? "";
  const result = await resendConfirmation(services, { pending, address });
  const { email } = result;
  switch (result.kind) {
    case "gone":
      return rejectForm({ kind: "refused", tab: "login", email, errors: {}, notice: messages.signUpExpired }, 410);
    case "rate-limited": {
      const notice = { tone: "error" as const, ...tooManyMailsMessage(formatWait(result.until, services.clock())) };
      return data<AuthResult>({ kind: "check-email", email, pending, notice }, 429);
    }
    case "sent":
      return data<AuthResult>({
        kind: "check-email",
        email,
        pending,
        notice: { tone: "success", title: messages.resent },
      });
  }
}

function rejectForm(result: AuthResult, status = 400) {
  return data<AuthResult>(result, status);
}

export function cookieHeaders(cookies: string[]): Headers {
  return new Headers(cookies.map((cookie): [string, string] => ["set-cookie", cookie]));
}
