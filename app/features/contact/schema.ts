import { z } from "zod";

import { isEmail, toAsciiDomain } from "#app/services/base/email-address.ts";
import { countCharacters, oneLine, paragraph } from "#app/services/base/plain-text.ts";

import { messages, messageTooLong } from "./messages.ts";
import { maxEmailLength, maxMessageLength, maxNameLength, minMessageLength } from "./rules.ts";

/** Longer input is refused before it is cleaned. In UTF-16 code units, well above the limits of the fields. */
const maxInputLength = 50_000;

/** A message from the contact page. The name is optional, and "" when missing. */
export const contactSchema = z.object({
  name: z
    .string()
    .default("")
    .refine((text) => text.length <= maxInputLength, { message: messages.nameTooLong, abort: true })
    .transform(oneLine)
    .refine((text) => countCharacters(text) <= maxNameLength, messages.nameTooLong),
  email: z
    .string(messages.emailRequired)
    .max(maxInputLength, messages.emailInvalid)
    .transform((text) => toAsciiDomain(text.trim()))
    .pipe(
      z
        .string()
        .min(1, messages.emailRequired)
        .max(maxEmailLength, messages.emailInvalid)
        .refine(isEmail, messages.emailInvalid),
    ),
  message: z
    .string(messages.messageRequired)
    .refine((text) => text.length <= maxInputLength, {
      error: ({ input }) => messageTooLong(String(input).length),
      abort: true,
    })
    .transform(paragraph)
    .superRefine((text, context) => {
      const length = countCharacters(text);
      const error =
        length === 0
          ? messages.messageRequired
          : length < minMessageLength
            ? messages.messageTooShort
            : length > maxMessageLength && messageTooLong(length);
      if (error) context.addIssue({ code: "custom", message: error });
    }),
});

export type ContactMessage = z.infer<typeof contactSchema>;
export type ContactField = keyof ContactMessage;
