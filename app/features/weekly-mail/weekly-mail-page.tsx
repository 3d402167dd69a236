import { data } from "react-router";

import { connectCss } from "#app/features/leads/public/connect-style.ts";
import {
  IncompleteLink,
  MailLinkFrame,
  MailLinkTitle,
  PressForm,
} from "#app/features/lead-notices/mail-link/mail-link-view.tsx";
import { sealIcon } from "#app/features/shell/seal-drawing.ts";
import { allowInlineStyle, services } from "#app/services/http/context.ts";

import type { Route } from "./+types/weekly-mail-page.ts";
import { wantsWeeklyMail } from "./data.server.ts";
import { readLink, stopPath } from "./mail-links.server.ts";

/** The page of the link in a mail. Opening it changes nothing: mail scanners open links too. Its form goes to the raw route. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const { db, sign } = services(context);
  const ownerId = readLink(sign, params.token);
  if (ownerId === undefined) throw data(null, { status: 404 });
  allowInlineStyle(context, connectCss);
  return data(
    { isOn: await wantsWeeklyMail(db, ownerId), action: stopPath(sign, ownerId) },
    { headers: { "cache-control": "no-store", "x-robots-tag": "noindex" } },
  );
}

export function headers({ loaderHeaders }: Route.HeadersArgs) {
  return loaderHeaders;
}

export function meta() {
  return [
    { title: "Weekly emails" },
    { name: "robots", content: "noindex" },
    { tagName: "link", rel: "icon", href: sealIcon },
  ];
}

export default function WeeklyMailPage({ loaderData: { isOn, action } }: Route.ComponentProps) {
  return (
    <MailLinkFrame>
      <MailLinkTitle title="Weekly emails" text={isOn ? "They are on." : "They are off."} />
      {isOn ? (
        <PressForm action={action} label="Turn off weekly emails">
          Your statistics stay. You can turn the emails on again there.
        </PressForm>
      ) : (
        <p role="status">
          You get no more weekly emails. <a href="/analytics">Change this in your account</a>
        </p>
      )}
    </MailLinkFrame>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <IncompleteLink error={error} />;
}
