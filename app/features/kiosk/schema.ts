import { z } from "zod";

import { maxLengths, maxQuestions } from "#app/features/leads/rules.ts";
import { isEmail, toAsciiDomain } from "#app/services/base/email-address.ts";
import { paragraph, plainLine } from "#app/services/base/plain-text.ts";

import { batchLimits } from "./rules.ts";

/** What a device sends: forms that were filled in on it, each encrypted (JWE, compact serialization). `sentAt` is its clock's time. */
export const batchSchema = z.object({
  sentAt: time(),
  entries: z
    .array(z.object({ id: z.uuid(), content: z.string().max(batchLimits.entryLength) }))
    .min(1)
    .max(batchLimits.entries),
});

/** What became of an entry. A device deletes what is delivered, and tries again later with what isn't mentioned. */
export type EntryResult =
  | { id: string; result: "delivered" }
  | { id: string; result: "refused"; reason: RefusalReason };

/** "unreadable": not encrypted for this card, or not what our form makes. */
export type RefusalReason = "too-old" | "unknown-consent" | "unreadable";

/** `retryAfter` in seconds, when entries were left out. */
export type BatchResponse = { results: EntryResult[]; retryAfter?: number };

/** A form as it was filled in. `givenAt` is the device's clock, `loadedAt` the server's when the device loaded the form. */
export type EntryContent = z.infer<typeof entryContentSchema>;

/** What is in the JWE. The device has checked the same, but anyone who has its address can send anything. */
export const entryContentSchema = z
  .object({
    id: z.uuid(),
    givenAt: time(),
    loadedAt: time(),
    consents: z
      .array(z.object({ purpose: z.enum(["answer", "newsletter"]), hash: z.string().regex(/^[\da-f]{64}$/) }))
      .min(1)
      .max(2),
    details: z.object({
      name: line(maxLengths.name),
      email: line(maxLengths.email)
        .transform(toAsciiDomain)
        .refine((email) => email === "" || isEmail(email)),
      phone: line(maxLengths.phone).refine((phone) => phone === "" || /\p{Nd}/u.test(phone)),
      company: line(maxLengths.company),
      note: z.string().max(maxLengths.note).transform(paragraph),
      answers: z
        .array(z.object({ question: line(maxLengths.question), answer: line(maxLengths.answer) }))
        .max(maxQuestions)
        .readonly(),
    }),
  })
  .refine(({ details }) => details.email !== "" || details.phone !== "")
  .refine(({ consents }) => {
    const purposes = consents.map(({ purpose }) => purpose);
    return purposes.includes("answer") && new Set(purposes).size === purposes.length;
  })
  .refine(({ consents, details }) => details.email !== "" || consents.every(({ purpose }) => purpose === "answer"));

function line(max: number) {
  return z.string().max(max).transform(plainLine);
}

/** Epoch milliseconds. PostgreSQL refuses a fraction, and with it the whole request. */
function time() {
  return z.int().min(0);
}
