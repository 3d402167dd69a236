import type { Handler } from "hono";

import { turnOffMails } from "#app/features/lead-notices/data.server.ts";
import { confirmForward, stopForward } from "#app/features/lead-notices/forwarding/forwards-data.server.ts";
import type { AppEnv, Services } from "#app/services/http/context.ts";

import { readMailLink } from "./mail-links.server.ts";

/** Mail programs that don't know one-click requests open the address of `List-Unsubscribe`: it leads to the page. */
export function showMailLink(): Handler<AppEnv> {
  return (c) => c.redirect(`/lead-mails/${encodeURIComponent(c.req.param("token") ?? "")}`, 303);
}

/**
 * Stops the mails that a signed link is about. Mail programs send the one-click request of RFC 8058, from any origin and without cookies;
 * people press the button of the page.
 */
export function stopMails(services: Services): Handler<AppEnv> {
  return async (c) => {
    const token = c.req.param("token") ?? "";
    const link = readMailLink(services.sign, token);
    if (!link) return c.text("This link is incomplete. Open the link from the email again, or copy all of it.", 404);
    const isOneClick = (await readBody(c.req.raw)).includes("List-Unsubscribe=One-Click");
    const origin = { headers: c.req.raw.headers, address: c.get("state").address };
    if (link.kind === "notices") await turnOffMails(services.db, services, link.id);
    else await stopForward(services, { id: link.id, origin });
    // RFC 8058 §3.1: no redirect.
    if (isOneClick) return c.text("You won't get these emails any more.");
    return c.redirect(`/lead-mails/${encodeURIComponent(token)}`, 303);
  };
}

/** Confirms an address that leads are forwarded to. */
export function confirmForwarding(services: Services): Handler<AppEnv> {
  return async (c) => {
    const token = c.req.param("token") ?? "";
    const link = readMailLink(services.sign, token);
    if (link?.kind !== "forward") return c.text("This link is incomplete.", 404);
    await confirmForward(services, link.id);
    return c.redirect(`/lead-mails/${encodeURIComponent(token)}`, 303);
  };
}

/** A one-click request as a form in either encoding: "List-Unsubscribe=One-Click". */
async function readBody(request: Request): Promise<string> {
  const text = await request.text();
  return text.replace(/name="List-Unsubscribe"\s+One-Click/, "List-Unsubscribe=One-Click");
}
