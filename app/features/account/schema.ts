import { z } from "zod";

import { messages } from "./messages.ts";
import { maxEmailLength } from "./rules.ts";
import { settingsMessages } from "./settings/settings-messages.ts";
import { isEmail, toAsciiDomain } from "#app/services/base/email-address.ts";
import { readForm, textFields } from "#app/services/http/form-body.ts";

/** Email addresses are compared in lowercase. Control characters are rejected, not removed. */
const email = z
  .string(messages.emailRequired)
  // Trimming a megabyte of spaces would block the process for minutes.
  .max(1000, messages.emailInvalid)
  .transform((typed) => toAsciiDomain(typed.replace(/^ +| +$/g, "").toLowerCase()))
  .pipe(
    z
      .string()
      .min(1, messages.emailRequired)
      .max(maxEmailLength, messages.emailInvalid)
      .refine(isEmail, messages.emailInvalid),
  );

// findPasswordProblem (rules.ts) checks a new password: it needs the address. A thread checks how easy it is to guess.
const password = z
  .string(messages.passwordRequired)
  .min(1, messages.passwordRequired)
  .max(4096, messages.passwordTooLong);

export const credentialsForm = z.object({ email, password });
export const emailForm = z.object({ email });
export const firstPasswordForm = z.object({ password });
export const newPasswordForm = z
  .object({ password, confirm: z.string(messages.passwordsDiffer) })
  .refine((form) => form.password === form.confirm, { path: ["confirm"], message: messages.passwordsDiffer });

/** Has to be typed to delete an account. */
export const deleteWord = "DELETE";

export const maxFeedbackLength = 2000;

/** Not checked as a new password: an older one may break today's rules. */
const current = z
  .string(settingsMessages.currentPasswordRequired)
  .min(1, settingsMessages.currentPasswordRequired)
  .max(4096, settingsMessages.wrongCurrentPassword);

export const changeEmailForm = z.object({ email, current });
export const changePasswordForm = z
  .object({ current, password, confirm: z.string(messages.passwordsDiffer) })
  .refine((form) => form.password === form.confirm, { path: ["confirm"], message: messages.passwordsDiffer });

export type FieldErrors = { email?: string; current?: string; password?: string; confirm?: string };

/** The first problem of each field. */
export function fieldErrors(error: z.ZodError): FieldErrors {
  const errors: FieldErrors = {};
  for (const { path, message } of error.issues) {
    const [name] = path;
    if (name === "email" || name === "current" || name === "password" || name === "confirm") errors[name] ??= message;
  }
  return errors;
}

/** The text fields of a form, the first of several with one name. Empty for a body of another type. */
export async function readFields(request: Request): Promise<Record<string, string>> {
  return textFields(await readForm(request));
}
