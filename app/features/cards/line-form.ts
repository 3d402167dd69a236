import { z } from "zod";

import { messages } from "./messages.ts";
import { maxLengths } from "./rules.ts";
import { cleaned } from "./sent-text.ts";

/** One line of text that may be left empty. */
export function line(limit: number) {
  return z
    .string()
    .transform(cleaned)
    .pipe(z.string().max(limit, messages.tooLong(limit)));
}

/** An e-mail address, or "". */
export const emailLine = line(maxLengths.email).pipe(
  z.union([z.literal(""), z.email(messages.invalidEmail)], messages.invalidEmail),
);

export const phoneLine = line(maxLengths.phone);
