import type { Viewer } from "#app/services/auth/sessions/viewer.server.ts";
import type { Config } from "#app/services/config/config.server.ts";

/** Whether the operator's pages exist for this user. They also ask for a second factor and a recent proof of identity. */
export function isOperator({ adminEmails }: Pick<Config, "adminEmails">, user: Viewer | undefined): boolean {
  return user !== undefined && user.isConfirmed && adminEmails.includes(user.email);
}
