import { z } from "zod";

import { oneLine, paragraph } from "#app/services/plain-text.ts";

import { messages, messageTooLong } from "./messages.ts";
import { longestEmail, longestMessage, longestName, shortestMessage } from "./rules.ts";

/** Nobody typed more: it is refused before anything cleans it. In UTF-16 code units, well above the limits of the fields. */
const longestTyped = 50_000;

/** What a person wrote. The name is "" when they gave none. */
export const contactForm = z.object({
  name: z
    .string()
    .default("")
    .refine((text) => text.length <= longestTyped, { message: messages.nameTooLong, abort: true })
    .transform(oneLine)
    .refine((text) => countSigns(text) <= longestName, messages.nameTooLong),
  email: z
    .string(messages.emailRequired)
    .max(longestTyped, messages.emailInvalid)
    .transform((text) => text.trim())
    .pipe(
      z
        .string()
        .min(1, messages.emailRequired)
        .max(longestEmail, messages.emailInvalid)
        .pipe(z.email(messages.emailInvalid)),
    ),
  message: z
    .string(messages.messageRequired)
    .refine((text) => text.length <= longestTyped, {
      error: ({ input }) => messageTooLong(String(input).length),
      abort: true,
    })
    .transform(paragraph)
    .superRefine((text, context) => {
      const length = countSigns(text);
      const fault =
        length === 0
          ? messages.messageRequired
          : length < shortestMessage
            ? messages.messageTooShort
            : length > longestMessage && messageTooLong(length);
      if (fault) context.addIssue({ code: "custom", message: fault });
    }),
});

export type ContactMessage = z.infer<typeof contactForm>;
export type FieldName = keyof ContactMessage;
export type FieldErrors = Partial<Record<FieldName, string>>;

/** The first thing that is wrong with each field. */
export function fieldErrors(error: z.ZodError): FieldErrors {
  const errors: FieldErrors = {};
  for (const { path, message } of error.issues) {
    const [name] = path;
    if (name === "name" || name === "email" || name === "message") errors[name] ??= message;
  }
  return errors;
}

function countSigns(text: string): number {
  return [...text].length;
}
