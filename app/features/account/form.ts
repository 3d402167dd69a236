import { z } from "zod";

import { messages } from "./messages.ts";
import { maxEmailLength } from "./rules.ts";
import { readForm } from "#app/services/form-body.ts";

/** E-mail addresses are told apart without regard to capitals; control characters are refused, not dropped. */
const email = z
  .string(messages.emailRequired)
  // Taking the spaces off a megabyte of them would keep the process busy for minutes.
  .max(1000, messages.emailInvalid)
  .transform((typed) => typed.replace(/^ +| +$/g, "").toLowerCase())
  .pipe(
    z
      .string()
      .min(1, messages.emailRequired)
      .max(maxEmailLength, messages.emailInvalid)
      .pipe(z.email(messages.emailInvalid)),
  );

// How good a new password is, is said elsewhere: it depends on the address and on lists.
const password = z
  .string(messages.passwordRequired)
  .min(1, messages.passwordRequired)
  .max(4096, messages.passwordTooLong);

export const credentialsForm = z.object({ email, password });
export const emailForm = z.object({ email });
export const newPasswordForm = z
  .object({ password, confirm: z.string(messages.passwordsDiffer) })
  .refine((form) => form.password === form.confirm, { path: ["confirm"], message: messages.passwordsDiffer });

/** What is typed to delete an account: exactly this. */
export const deleteWord = "DELETE";

export const maxFeedback = 2000;

export type FieldErrors = { email?: string; password?: string; confirm?: string };

/** The first thing that is wrong with each field. */
export function fieldErrors(error: z.ZodError): FieldErrors {
  const errors: FieldErrors = {};
  for (const { path, message } of error.issues) {
    const [name] = path;
    if (name === "email" || name === "password" || name === "confirm") errors[name] ??= message;
  }
  return errors;
}

/** The text fields of a form; of two with one name the first. What is no form has none. */
export async function readFields(request: Request): Promise<Record<string, string>> {
  const isForm = /^(application\/x-www-form-urlencoded|multipart\/form-data)/i.test(
    request.headers.get("content-type") ?? "",
  );
  const entries = isForm ? [...(await readForm(request))].toReversed() : [];
  return Object.fromEntries(entries.flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : [])));
}
