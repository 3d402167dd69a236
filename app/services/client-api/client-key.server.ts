import type { Services } from "#app/services/http/context.ts";

/**
 * The public key that apps send with each request. It names this installation and allows nothing by itself. Clients of the specification
 * recognize it by its beginning, and then leave it out of `Authorization` where a session's token belongs.
 */
export function clientKey({ signForever }: Pick<Services, "signForever">): string {
  return `sb_publishable_${signForever("client key", "1").slice(0, 32)}`;
}
