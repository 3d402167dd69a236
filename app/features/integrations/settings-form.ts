import type { Destination, Settings } from "./destination.ts";
import { integrationMessages as messages } from "./messages.ts";
import { maxFieldLength } from "./rules.ts";

type CheckResult = { settings: Settings } | { errors: Partial<Record<string, string>> };

/** The settings of a service as they are stored, or what is wrong with them by field. */
export function checkSettings(
  { fields, check }: Pick<Destination, "fields" | "check">,
  settings: Settings,
  isSendable: (url: string) => boolean,
): CheckResult {
  const errors: Partial<Record<string, string>> = { ...check?.(settings) };
  for (const { name, isAddress, isMapping } of fields) {
    const value = settings[name] ?? "";
    const problem = isAddress && value !== "" ? addressProblem(value, isSendable) : undefined;
    if (problem !== undefined) errors[name] = problem;
    if (value.length > maxFieldLength) errors[name] = messages.tooLong(maxFieldLength);
    if (isMapping && !/^\w*$/.test(value)) errors[name] = messages.fieldNameInvalid;
    if (value === "" && !isMapping) errors[name] = messages.required;
  }
  return Object.keys(errors).length > 0 ? { errors } : { settings };
}

function addressProblem(address: string, isSendable: (url: string) => boolean): string | undefined {
  const url = URL.parse(address);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.search || url.hash) return messages.addressInvalid;
  if (isSendable(address)) return undefined;
  return url.protocol === "http:" ? messages.addressInsecure : messages.addressPrivate;
}
