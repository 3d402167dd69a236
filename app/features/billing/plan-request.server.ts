import { throwNotFound } from "#app/features/shell/shell.server.ts";
import { services } from "#app/services/http/context.ts";

/** Throws the 404 where everyone has Premium: there are no plans to choose from. */
export function requirePlans(context: Parameters<typeof services>[0], url: URL): void {
  if (services(context).config.premium === "everyone") throwNotFound(context, url);
}
