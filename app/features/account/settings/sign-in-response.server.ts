import { data } from "react-router";

import { limits } from "#app/features/account/rules.ts";
import { changeEmailForm, changePasswordForm, fieldErrors } from "#app/features/account/schema.ts";
import type { FieldErrors } from "#app/features/account/schema.ts";
import { cookieHeaders, reportFailure } from "#app/features/account/sign-in/auth-response.server.ts";
import { formatWait } from "#app/services/base/format.ts";
import type { Services } from "#app/services/http/context.ts";
import { logSecurityEvent } from "#app/services/http/request-log.server.ts";
import { redirectWithToast } from "#app/services/http/toast.server.ts";

import { settingsMessages as messages, tooManyChangesMessage, tooManyPasswordsMessage } from "./settings-messages.ts";
import { changePassword, requestEmailChange } from "./sign-in-data.server.ts";
import type { PasswordRefusal } from "./sign-in-data.server.ts";

export type SettingsIntent = "change-email" | "change-password" | "cancel-email";

/** A rejected form of the settings: the typed address and the problems. Passwords are never sent back. */
export type SettingsRejection = {
  intent: SettingsIntent;
  email: string;
  errors: FieldErrors;
  notice?: { title: string; text?: string };
  /** The user has to prove again who they are. */
  isStale?: true;
};

export type SettingsRequest = {
  services: Services;
  user: { id: string; email: string };
  /** Whether the user proved who they are in the last ten minutes. */
  isFresh: boolean;
  fields: Record<string, string>;
  /** The network address of the request. */
  address: string;
  headers: Headers;
};

/** Handles the forms that change how an account signs in. A failure is reported on the form, because an error page would lose what was typed. */
export async function respondToSettings(intent: SettingsIntent, request: SettingsRequest) {
  try {
    if (intent === "change-email") return await respondToEmailChange(request);
    if (intent === "change-password") return await respondToPasswordChange(request);
    return await respondToCancel(request);
  } catch (error) {
    const { notice, status } = reportFailure(request.services, error);
    return reject(intent, request, { notice, status });
  }
}

async function respondToEmailChange(request: SettingsRequest) {
  const { services, user, fields, address, headers } = request;
  if (!services.mail.isConfigured) return reject("change-email", request, { notice: messages.noMail, status: 503 });
  const form = changeEmailForm.safeParse(fields);
  if (!form.success) return reject("change-email", request, { errors: fieldErrors(form.error) });
  const { email, current } = form.data;
  if (email === user.email) return reject("change-email", request, { errors: { email: messages.sameEmail } });
  if (await needsProof(request)) return rejectStale("change-email", request);
  const result = await requestEmailChange(services, { userId: user.id, address, headers, email, current });
  if (result.kind !== "sent") return refuse("change-email", request, result);
  const text = `We sent it to ${email}. Until you confirm it, you sign in with ${user.email}.`;
  const toast = { title: messages.checkNewEmail, text, tone: "success" } as const;
  return redirectWithToast("/account", toast, cookieHeaders(result.cookies));
}

async function respondToPasswordChange(request: SettingsRequest) {
  const { services, user, fields, address, headers } = request;
  const form = changePasswordForm.safeParse(fields);
  if (!form.success) return reject("change-password", request, { errors: fieldErrors(form.error) });
  const { current, password } = form.data;
  if (await needsProof(request)) return rejectStale("change-password", request);
  const { id: userId, email } = user;
  const result = await changePassword(services, { userId, email, address, current, password, headers });
  if (result.kind === "weak-password")
    return reject("change-password", request, { errors: { password: result.error } });
  if (result.kind !== "changed") return refuse("change-password", request, result);
  logSecurityEvent(services.log, { event: "password-changed", account: user.id });
  const toast = { title: messages.passwordChanged, text: messages.otherDevicesLoggedOut, tone: "success" } as const;
  return redirectWithToast("/account", toast, cookieHeaders(result.cookies));
}

async function respondToCancel({ services, user }: SettingsRequest) {
  await services.auth.cancelEmailChange(user.id);
  return redirectWithToast("/account", {
    title: messages.changeCanceled,
    text: `You still sign in with ${user.email}.`,
    tone: "info",
  });
}

/** Responds to a wrong password or a limit that was reached, and logs it. */
function refuse(intent: SettingsIntent, request: SettingsRequest, result: PasswordRefusal) {
  const { services, user } = request;
  if (result.kind === "wrong-password") {
    logSecurityEvent(services.log, { event: "password-refused", account: user.id });
    return reject(intent, request, { errors: { current: messages.wrongCurrentPassword } });
  }
  const { limit, until } = result;
  const when = formatWait(until, services.clock());
  const isPassword = limit === limits.signInsFromNetwork.name || limit === limits.passwordChecksOfAccount.name;
  const notice = isPassword ? tooManyPasswordsMessage(when) : tooManyChangesMessage(when);
  return reject(intent, request, { notice, status: 429 });
}

/** The form asks for the password, which is one of two factors. */
async function needsProof({ services, user, isFresh }: SettingsRequest): Promise<boolean> {
  return !isFresh && (await services.auth.findFactors(user.id)).isOn;
}

function rejectStale(intent: SettingsIntent, request: SettingsRequest) {
  return reject(intent, request, { notice: messages.confirmIdentityFirst, status: 403, isStale: true });
}

type Rejection = Pick<SettingsRejection, "notice" | "isStale"> & { errors?: FieldErrors; status?: number };

function reject(
  intent: SettingsIntent,
  { fields }: SettingsRequest,
  { errors = {}, status = 400, ...more }: Rejection,
) {
  const email = intent === "change-email" ? (fields.email ?? "") : "";
  return data<SettingsRejection>({ intent, email, errors, ...more }, status);
}
