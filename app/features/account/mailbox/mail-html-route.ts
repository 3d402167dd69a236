import { data } from "react-router";

import type { Route } from "./+types/mail-html-route.ts";
import { openMailbox } from "./mailbox.server.ts";

/** The HTML of a stored email, for the frame on its page. Runs and loads nothing; links open in the page around it. */
export async function loader({ context, request, params, url }: Route.LoaderArgs) {
  const mail = await openMailbox(context, { request, url }).findStored(params.name);
  if (!mail?.html) throw data(null, { status: 404 });
  return new Response(mail.html.replace(/<head>/i, '<head><base target="_top">'), {
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy":
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; " +
        "sandbox allow-top-navigation-by-user-activation",
      "cache-control": "no-store",
    },
  });
}
