import { limits } from "#app/features/account/rules.ts";
import { changeEmailForm, changePasswordForm } from "#app/features/account/schema.ts";
import { accountFailure, cookieHeaders } from "#app/features/account/sign-in/auth-response.server.ts";
import { isFresh } from "#app/services/auth/reauthentication/reauthentication.server.ts";
import { formatWait } from "#app/services/base/format.ts";
import { checkSchema, formAction } from "#app/services/forms/form-action.server.ts";
import type { RefusedForm, SentForm } from "#app/services/forms/form-action.server.ts";
import { requireUser } from "#app/services/http/context.ts";
import { logSecurityEvent } from "#app/services/http/request-log.server.ts";
import { redirectWithToast } from "#app/services/http/toast.server.ts";

import { settingsMessages as messages, tooManyChangesMessage, tooManyPasswordsMessage } from "./settings-messages.ts";
import { changePassword, requestEmailChange } from "./sign-in-data.server.ts";
import type { PasswordRefusal } from "./sign-in-data.server.ts";

export type SettingsIntent = "change-email" | "change-password" | "cancel-email";

/** A refused form of the settings. `isStale`: the user has to prove again who they are. Passwords are never sent back. */
export type SettingsRejection = RefusedForm<
  { intent: SettingsIntent; email: string },
  { title: string; text?: string; isStale?: true }
>;

/** The forms that change how an account signs in. A failure is reported on the form, because an error page would lose what was typed. */
export const signInForms = {
  "change-email": (sent: SentForm) =>
    formAction(sent, {
      read: () => ({ intent: "change-email" as const, email: sent.text("email") }),
      check: () => ({}),
      run: async (_, { all, ownerId: userId, context, fields, origin, refuse }) => {
        if (!all.mail.isConfigured) return refuse({ problem: messages.noMail }, 503);
        const checked = checkSchema(changeEmailForm, fields);
        if ("errors" in checked) return refuse(checked);
        const { email, current } = checked;
        const user = requireUser(context);
        if (email === user.email) return refuse({ errors: { email: messages.sameEmail } });
        if (await needsProof(sent)) return refuse({ problem: staleProblem }, 403);
        const result = await requestEmailChange(all, { userId, ...origin, email, current });
        if (result.kind !== "sent") return refuse(describeRefusal(sent, result), statusOf[result.kind]);
        const text = `We sent it to ${email}. Until you confirm it, you sign in with ${user.email}.`;
        const toast = { title: messages.checkNewEmail, text, tone: "success" } as const;
        return redirectWithToast("/account", toast, cookieHeaders(result.cookies));
      },
      failure: accountFailure,
    }),
  "change-password": (sent: SentForm) =>
    formAction(sent, {
      read: () => ({ intent: "change-password" as const, email: "" }),
      check: () => checkSchema(changePasswordForm, sent.fields),
      run: async ({ current, password }, { all, ownerId: userId, context, origin, refuse }) => {
        if (await needsProof(sent)) return refuse({ problem: staleProblem }, 403);
        const { email } = requireUser(context);
        const result = await changePassword(all, { userId, email, ...origin, current, password });
        if (result.kind === "weak-password") return refuse({ errors: { password: result.error } });
        if (result.kind !== "changed") return refuse(describeRefusal(sent, result), statusOf[result.kind]);
        logSecurityEvent(all.log, { event: "password-changed", account: userId });
        const text = messages.otherDevicesLoggedOut;
        const toast = { title: messages.passwordChanged, text, tone: "success" } as const;
        return redirectWithToast("/account", toast, cookieHeaders(result.cookies));
      },
      failure: accountFailure,
    }),
  "cancel-email": (sent: SentForm) =>
    formAction(sent, {
      read: () => ({ intent: "cancel-email" as const, email: "" }),
      check: () => ({}),
      run: async (_, { all, ownerId, context }) => {
        await all.auth.cancelEmailChange(ownerId);
        const text = `You still sign in with ${requireUser(context).email}.`;
        return redirectWithToast("/account", { title: messages.changeCanceled, text, tone: "info" });
      },
      failure: accountFailure,
    }),
};

const staleProblem = { ...messages.confirmIdentityFirst, isStale: true } as const;

/** The form asks for the password, which is one of two factors. */
async function needsProof({ all, ownerId, context }: SentForm): Promise<boolean> {
  return !isFresh(context) && (await all.auth.findFactors(ownerId)).isOn;
}

const statusOf = { "wrong-password": 400, "rate-limited": 429 };

/** What the form says of a wrong password, which is logged, or of a limit that was reached. */
function describeRefusal({ all, ownerId }: SentForm, result: PasswordRefusal) {
  if (result.kind === "wrong-password") {
    logSecurityEvent(all.log, { event: "password-refused", account: ownerId });
    return { errors: { current: messages.wrongCurrentPassword } };
  }
  const { limit, until } = result;
  const when = formatWait(until, all.clock());
  const isPassword = limit === limits.signInsFromNetwork.name || limit === limits.passwordChecksOfAccount.name;
  return { problem: isPassword ? tooManyPasswordsMessage(when) : tooManyChangesMessage(when) };
}
