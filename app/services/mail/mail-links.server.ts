import type { Context, Handler } from "hono";

import { readLastingText, signedText } from "#app/services/base/signed-token.server.ts";
import type { AppEnv, Services } from "#app/services/http/context.ts";
import type { RawRoute } from "#app/services/features/feature.ts";

type Sign = Services["sign"];

/** A token for a link in a mail: it says what the link is about, is valid forever, and needs no row. `content` may have any character. */
export function signMailLink(sign: Sign, purpose: string, content: string): string {
  return encodeURIComponent(signedText(sign, purpose, content));
}

/** What a token that we signed for this purpose is about; undefined for any other text. `token`: decoded, as a route has it. */
export function readSignedMailLink(sign: Sign, purpose: string, token: string): string | undefined {
  return readLastingText(sign, purpose, token);
}

/** Where the button of a link's page and the one-click request of a mail program go. `link`: its path or URL. */
export function stopPath(link: string): string {
  return `${link}/stop`;
}

/** Stops what a token is about; false for a token that we didn't sign. */
type StopMails = (services: Services, token: string, c: Context<AppEnv>) => Promise<boolean>;

/** The address of `List-Unsubscribe` in mails whose links lead to pages below `path`, such as "/lead-mails". */
export function stopMailsRoutes(path: string, stop: StopMails): RawRoute[] {
  const address = `${path}/:token/stop`;
  return [
    // Mail programs that don't know one-click requests open it: it leads to the page.
    { method: "GET", path: address, authentication: "none: public read", handler: () => (c) => showPage(c, path) },
    {
      method: "POST",
      path: address,
      authentication: "signature",
      handler: (services) => stopHandler(path, (token, c) => stop(services, token, c)),
    },
  ];
}

/** Redirects to the page of the link in a request. */
export function showPage(c: Context<AppEnv>, path: string): Response {
  return c.redirect(`${path}/${encodeURIComponent(c.req.param("token") ?? "")}`, 303);
}

/**
 * Stops the mails that a signed link is about. Mail programs send the one-click request of RFC 8058, from any origin and without cookies;
 * people press the button of the page.
 */
function stopHandler(path: string, stop: (token: string, c: Context<AppEnv>) => Promise<boolean>): Handler<AppEnv> {
  return async (c) => {
    const isOneClick = (await readBody(c.req.raw)).includes("List-Unsubscribe=One-Click");
    if (!(await stop(c.req.param("token") ?? "", c)))
      return c.text("This link is incomplete. Open the link from the email again, or copy all of it.", 404);
    // RFC 8058 §3.1: no redirect.
    if (isOneClick) return c.text("You won’t get these emails anymore.");
    return showPage(c, path);
  };
}

/** A one-click request as a form in either encoding: "List-Unsubscribe=One-Click". */
async function readBody(request: Request): Promise<string> {
  const text = await request.text();
  return text.replace(/name="List-Unsubscribe"\s+One-Click/, "List-Unsubscribe=One-Click");
}
