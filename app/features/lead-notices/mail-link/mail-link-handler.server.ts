import type { Context, Handler } from "hono";

import { turnOffMails } from "#app/features/lead-notices/data.server.ts";
import { confirmForward, stopForward } from "#app/features/lead-notices/forwarding/forwards-data.server.ts";
import type { RequestOrigin } from "#app/services/auth/audit/security-events.server.ts";
import type { AppEnv, Services } from "#app/services/http/context.ts";
import { showPage } from "#app/services/mail/mail-links.server.ts";

import { mailLinksPath, readMailLink } from "./mail-links.server.ts";

/** Stops the mails that a signed link is about; false for a link that we didn't sign. */
export async function stopMails(services: Services, token: string, c: Context<AppEnv>): Promise<boolean> {
  const link = readMailLink(services.sign, token);
  if (link?.kind === "notices") await turnOffMails(services.db, services, link.id);
  else if (link) await stopForward(services, { id: link.id, origin: originOf(c) });
  return link !== undefined;
}

/** Confirms an address that leads are forwarded to. */
export function confirmForwarding(services: Services): Handler<AppEnv> {
  return async (c) => {
    const link = readMailLink(services.sign, c.req.param("token") ?? "");
    if (link?.kind !== "forward") return c.text("This link is incomplete.", 404);
    await confirmForward(services, { id: link.id, origin: originOf(c) });
    return showPage(c, mailLinksPath);
  };
}

function originOf(c: Context<AppEnv>): RequestOrigin {
  return { headers: c.req.raw.headers, address: c.get("state").address };
}
