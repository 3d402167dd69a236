import type { Context, Handler } from "hono";

import type { AppEnv } from "#app/services/http/context.ts";

type StoppableMails = {
  /** The path of the page of the link, before its token: "/lead-mails". */
  path: string;
  /** Stops what a token is about; false for a token that we didn't sign. */
  stop: (token: string, c: Context<AppEnv>) => Promise<boolean>;
};

/** Mail programs that don't know one-click requests open the address of `List-Unsubscribe`: it leads to the page. */
export function showStopPage(path: string): Handler<AppEnv> {
  return (c) => c.redirect(`${path}/${encodeURIComponent(c.req.param("token") ?? "")}`, 303);
}

/**
 * Stops the mails that a signed link is about. Mail programs send the one-click request of RFC 8058, from any origin and without cookies;
 * people press the button of the page.
 */
export function stopMailsHandler({ path, stop }: StoppableMails): Handler<AppEnv> {
  return async (c) => {
    const token = c.req.param("token") ?? "";
    const isOneClick = (await readBody(c.req.raw)).includes("List-Unsubscribe=One-Click");
    if (!(await stop(token, c)))
      return c.text("This link is incomplete. Open the link from the email again, or copy all of it.", 404);
    // RFC 8058 §3.1: no redirect.
    if (isOneClick) return c.text("You won't get these emails any more.");
    return c.redirect(`${path}/${encodeURIComponent(token)}`, 303);
  };
}

/** A one-click request as a form in either encoding: "List-Unsubscribe=One-Click". */
async function readBody(request: Request): Promise<string> {
  const text = await request.text();
  return text.replace(/name="List-Unsubscribe"\s+One-Click/, "List-Unsubscribe=One-Click");
}
