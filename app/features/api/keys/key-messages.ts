import { scopes as allScopes } from "#app/services/api/resource.ts";
import type { Scope } from "#app/services/api/resource.ts";

import { areas, maxKeys, maxNameLength, readScopes } from "./key-rules.ts";

/** What owners read about their API keys. */
export const keyMessages = {
  nameRequired: "Enter a name for the key.",
  nameTooLong: `Use at most ${maxNameLength} characters.`,
  scopesRequired: "Choose at least one permission.",
  full: `You have ${maxKeys} active keys, the most an account can have. Revoke one first.`,
  gone: "This key no longer works.",
  areas: {
    account: "Account",
    exports: "All data",
    profile: "Profile",
    cards: "Cards",
    files: "Files",
    leads: "Leads",
    statistics: "Analytics",
    webhooks: "Webhooks",
  } as Record<string, string>,
  access: { read: "Read everything", all: "Everything", choose: "Choose" },
  expiries: { 30: "In 30 days", 90: "In 90 days", 365: "In 365 days", none: "Never" },
  states: { works: "Active", expired: "Expired", revoked: "Revoked" },
} as const;

/** What a key may do: "Read everything", or "Cards (read, change), Leads (read)". */
export function describeScopes(scopes: readonly Scope[]): string {
  const isSame = (others: readonly Scope[]) =>
    scopes.length === others.length && others.every((scope) => scopes.includes(scope));
  if (isSame(allScopes)) return keyMessages.access.all;
  if (isSame(readScopes)) return keyMessages.access.read;
  return areas
    .flatMap(({ area, read, write }) => {
      const allowed = [read && scopes.includes(read) && "read", write && scopes.includes(write) && "change"];
      const words = allowed.filter(Boolean).join(", ");
      return words === "" ? [] : [`${keyMessages.areas[area]} (${words})`];
    })
    .join(", ");
}
