import type { CardDetails } from "./data.server.ts";
import { detailFields } from "./details-text.ts";
import type { DetailsErrors, DetailsText } from "./details-text.ts";
import { cardDetails, errorsOf } from "./form.ts";
import { messages } from "./messages.ts";
import { maxTyped } from "./rules.ts";

/** The card's part of what the card dialog sent, cleaned, or what is wrong with it. What was not sent is not in the answer. */
export function readDetails(sent: Partial<DetailsText>): { fields: Partial<CardDetails> } | { errors: DetailsErrors } {
  const read = cardDetails.partial().safeParse(sent);
  return read.success ? { fields: read.data } : { errors: errorsOf(read.error) };
}

/** Whatever is so long that nothing should clean it. */
export function findTooLong(sent: Partial<DetailsText>): DetailsErrors | undefined {
  const tooLong = detailFields.filter((field) => (sent[field]?.length ?? 0) > maxTyped);
  return tooLong.length > 0
    ? Object.fromEntries(tooLong.map((field) => [field, messages.tooLong(maxTyped)]))
    : undefined;
}
