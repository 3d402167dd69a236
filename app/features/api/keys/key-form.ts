import { z } from "zod";

import { scopes as allScopes } from "#app/services/api/resource.ts";
import type { Scope } from "#app/services/api/resource.ts";
import { fieldText } from "#app/services/base/form-fields.ts";
import type { FormFields } from "#app/services/base/form-fields.ts";
import { plainLine } from "#app/services/base/plain-text.ts";

import { keyMessages as messages } from "./key-messages.ts";
import { accesses, expiries, maxNameLength, readScopes } from "./key-rules.ts";

/** The form of a new key as it was typed. `scopes`: the checked ones, which count when `access` is "choose". */
export type KeyValues = {
  name: string;
  access: (typeof accesses)[number];
  scopes: Scope[];
  /** In days. */
  expiry: (typeof expiries)[number];
};
export type KeyErrors = { name?: string; scopes?: string };

export const newKeyValues: KeyValues = { name: "", access: "read", scopes: [], expiry: "90" };

const access = z.enum(accesses).catch("choose");
const expiry = z.enum(expiries).catch("90");

/** Each scope has a checkbox of its own name. */
export function readKeyForm(form: FormFields): KeyValues {
  return {
    name: fieldText(form, "name"),
    access: access.parse(fieldText(form, "access")),
    scopes: allScopes.filter((scope) => form.has(scope)),
    expiry: expiry.parse(fieldText(form, "expiry")),
  };
}

/** The values as the form sends them. */
export function keyFields({ scopes, ...values }: KeyValues): Record<string, string> {
  return { ...values, ...Object.fromEntries(scopes.map((scope) => [scope, "on"])) };
}

/** What was typed, ready to be stored; `days` until the key expires, null for never. */
export type CheckedKey = { name: string; scopes: readonly Scope[]; days: number | null };

export function checkKeyForm(values: KeyValues): CheckedKey | { errors: KeyErrors } {
  const name = plainLine(values.name.slice(0, maxNameLength));
  const chosen = { read: readScopes, all: allScopes, choose: values.scopes }[values.access];
  const isTooLong = values.name.length > maxNameLength;
  const nameError = isTooLong ? messages.nameTooLong : name === "" ? messages.nameRequired : undefined;
  const errors = {
    ...(nameError && { name: nameError }),
    ...(chosen.length === 0 && { scopes: messages.scopesRequired }),
  };
  if (Object.keys(errors).length > 0) return { errors };
  return { name, scopes: chosen, days: values.expiry === "none" ? null : Number(values.expiry) };
}
