import { data } from "react-router";

import { connectCss } from "#app/features/leads/public/connect-style.ts";
import {
  IncompleteLink,
  MailLinkFrame,
  MailSwitch,
  visitorPageMeta,
} from "#app/features/leads/public/mail-link-view.tsx";
import { allowInlineStyle, services } from "#app/services/http/context.ts";
import { stopPath } from "#app/services/mail/mail-links.server.ts";

import type { Route } from "./+types/weekly-mail-page.ts";
import { wantsWeeklyMail } from "./data.server.ts";
import { linkPath, readLink } from "./week-mails.ts";

/** The page of the link in a mail. Opening it changes nothing: mail scanners open links too. Its form goes to the raw route. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const { db, sign } = services(context);
  const ownerId = readLink(sign, params.token);
  if (ownerId === undefined) throw data(null, { status: 404 });
  allowInlineStyle(context, connectCss);
  return { isOn: await wantsWeeklyMail(db, ownerId), action: stopPath(linkPath(sign, ownerId)) };
}

export function meta() {
  return visitorPageMeta("Weekly emails");
}

export default function WeeklyMailPage({ loaderData: { isOn, action } }: Route.ComponentProps) {
  return (
    <MailLinkFrame>
      <MailSwitch
        title="Weekly emails"
        isOn={isOn}
        action={action}
        label="Turn off weekly emails"
        hint="Your statistics aren’t affected. You can turn these emails back on in Analytics."
        offText="You won’t get weekly emails anymore."
        settingsPath="/analytics"
      />
    </MailLinkFrame>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <IncompleteLink error={error} />;
}
