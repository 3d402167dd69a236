import { data, isRouteErrorResponse } from "react-router";

import { findMailNotice } from "#app/features/lead-notices/data.server.ts";
import { connectCss } from "#app/features/leads/public/connect-style.ts";
import { MessageView } from "#app/features/shell/message-view.tsx";
import { sealIcon } from "#app/features/shell/seal-drawing.ts";
import { allowInlineStyle, services } from "#app/services/http/context.ts";

import type { Route } from "./+types/mail-link-page.ts";
import { readMailLink, stopPath } from "./mail-links.server.ts";

/** The page of a link in a mail. Opening it changes nothing: mail scanners open links too. Its form goes to mail-link-handler.server.ts. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const { db, sign } = services(context);
  const link = readMailLink(sign, params.token);
  if (!link) throw data(null, { status: 404 });
  allowInlineStyle(context, connectCss);
  const { timing } = await findMailNotice(db, link.id);
  return data(
    { isOn: timing !== "off", stopPath: stopPath(sign, link) },
    { headers: { "cache-control": "no-store", "x-robots-tag": "noindex" } },
  );
}

export function headers({ loaderHeaders }: Route.HeadersArgs) {
  return loaderHeaders;
}

export function meta() {
  return [
    { title: "Emails about leads" },
    { name: "robots", content: "noindex" },
    { tagName: "link", rel: "icon", href: sealIcon },
  ];
}

export default function MailLinkPage({ loaderData: { isOn, stopPath: action } }: Route.ComponentProps) {
  return (
    <main className="page" data-theme="default">
      <style suppressHydrationWarning dangerouslySetInnerHTML={{ __html: connectCss }} />
      <div className="column">
        <div className="framed">
          <header className="to">
            <div>
              <h1>Emails about leads</h1>
              <p>{isOn ? "They are on." : "They are off."}</p>
            </div>
          </header>
          {isOn ? (
            <form className="form" method="post" action={action}>
              <div className="field">
                <button className="button" aria-describedby="off-hint">
                  Turn off emails about leads
                </button>
                <p className="hint" id="off-hint">
                  Your leads stay in your inbox. You can turn the emails on again there.
                </p>
              </div>
            </form>
          ) : (
            <p role="status">
              You get no more emails when someone shares their contact.{" "}
              <a href="/leads/notifications">Change this in your account</a>
            </p>
          )}
        </div>
      </div>
    </main>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  if (!isRouteErrorResponse(error) || error.status !== 404) throw error;
  return <MessageView title="This link is incomplete" text="Open the link from the email again, or copy all of it." />;
}
