import { isAllowedAddress, withScheme } from "#app/features/links/rules.ts";
import { readDetail } from "#app/features/leads/form-schema.ts";
import { leadMessages as messages } from "#app/features/leads/messages.ts";
import { maxLengths } from "#app/features/leads/rules.ts";
import type { DetailName } from "#app/features/leads/rules.ts";
import { plainLine } from "#app/services/base/plain-text.ts";

// Not in form-schema.ts, which the kiosk's script contains: with it would come the links, and with them the plans.

/** What an owner typed into a field of a lead, normalized, and what is wrong with it. "example.com" -> "https://example.com" */
export function readOwnDetail(name: DetailName | "note", text: string): { value: string; error?: string } {
  if (name !== "title" && name !== "website") return readDetail(name, text, false);
  const line = text.length > maxTypedLength ? text : plainLine(text);
  const value = name === "website" && line !== "" ? withScheme(line) : line;
  if (value.length > maxLengths[name]) return { value, error: messages.tooLong(maxLengths[name]) };
  const isWrong = name === "website" && value !== "" && !(/^https?:/.test(value) && isAllowedAddress(value));
  return { value, ...(isWrong && { error: messages.invalidWebsite }) };
}

/** Longer than any valid value: refused before it is cleaned. */
const maxTypedLength = 50_000;
