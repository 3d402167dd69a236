import type { ApiKey } from "#app/services/api/key-data.server.ts";
import { scopes as allScopes } from "#app/services/api/resource.ts";
import type { Scope } from "#app/services/api/resource.ts";
import type { RateLimit } from "#app/services/http/rate-limits.server.ts";

/** How many keys of an account may work at a time. */
export const maxKeys = 20;

/** In UTF-16 code units. */
export const maxNameLength = 60;

/** What the form of a new key offers: presets or a choice of scopes, and the days until it expires. */
export const accesses = ["read", "all", "choose"] as const;
export const expiries = ["30", "90", "365", "none"] as const;

/** Each is mailed and logged. */
export const createLimit = {
  name: "API keys of an account",
  max: 30,
  windowMs: 3_600_000,
} as const satisfies RateLimit;

/** The parts of an account that a key may read or change, and its scopes for them. */
export const areas = [...new Set(allScopes.map((scope) => scope.split(":", 1).join()))].map((area) => ({
  area,
  read: findScope(area, "read"),
  write: findScope(area, "write"),
}));

function findScope(area: string, access: "read" | "write"): Scope | undefined {
  return allScopes.find((scope) => scope === `${area}:${access}`);
}

export const readScopes: readonly Scope[] = areas.flatMap(({ read }) => read ?? []);

export type KeyState = "works" | "expired" | "revoked";

/** A revoked key has an end as well, which is when it was revoked. */
export function keyStateOf({ expiresAt, revokedAt }: Pick<ApiKey, "expiresAt" | "revokedAt">, now: number): KeyState {
  if (revokedAt !== null) return "revoked";
  return expiresAt !== null && expiresAt <= now ? "expired" : "works";
}
