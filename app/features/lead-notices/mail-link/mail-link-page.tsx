import { data } from "react-router";

import { findMailNotice } from "#app/features/lead-notices/data.server.ts";
import { findForward } from "#app/features/lead-notices/forwarding/forwards-data.server.ts";
import { connectCss } from "#app/features/leads/public/connect-style.ts";
import {
  IncompleteLink,
  MailLinkFrame,
  MailLinkTitle,
  MailSwitch,
  PressForm,
  visitorPageMeta,
} from "#app/features/leads/public/mail-link-view.tsx";
import type { Db } from "#app/services/database/database.server.ts";
import { allowInlineStyle, services } from "#app/services/http/context.ts";
import { stopPath } from "#app/services/mail/mail-links.server.ts";

import type { Route } from "./+types/mail-link-page.ts";
import { mailLinkPath, readMailLink } from "./mail-links.server.ts";
import type { MailLink } from "./mail-links.server.ts";

/** The page of a link in a mail. Opening it changes nothing: mail scanners open links too. Its form goes to mail-link-handler.server.ts. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const { db, sign } = services(context);
  const link = readMailLink(sign, params.token);
  if (!link) throw data(null, { status: 404 });
  allowInlineStyle(context, connectCss);
  const path = mailLinkPath(sign, link);
  return { subject: await findSubject(db, link), paths: { stop: stopPath(path), confirm: `${path}/confirm` } };
}

type Subject =
  | { kind: "notices"; isOn: boolean }
  | { kind: "forward"; state: "waiting" | "confirmed" | "removed"; address: string };

async function findSubject(db: Db, { kind, id }: MailLink): Promise<Subject> {
  if (kind === "notices") return { kind, isOn: (await findMailNotice(db, id)).timing !== "off" };
  const forward = await findForward(db, id);
  if (!forward) return { kind, state: "removed", address: "" };
  return { kind, state: forward.confirmedAt === null ? "waiting" : "confirmed", address: forward.address };
}

export function meta() {
  return visitorPageMeta("Emails about leads");
}

export default function MailLinkPage({ loaderData: { subject, paths } }: Route.ComponentProps) {
  return (
    <MailLinkFrame>
      {subject.kind === "notices" ? <Notices {...subject} paths={paths} /> : <Forwarding {...subject} paths={paths} />}
    </MailLinkFrame>
  );
}

type Paths = { stop: string; confirm: string };

function Notices({ isOn, paths }: { isOn: boolean; paths: Paths }) {
  return (
    <MailSwitch
      title="Emails about leads"
      isOn={isOn}
      action={paths.stop}
      label="Turn off emails about leads"
      hint="Your leads stay in your inbox. You can turn these emails back on there, under Notifications."
      offText="You won’t get emails when someone shares their contact."
      settingsPath="/leads/notifications"
    />
  );
}

type ForwardingProps = { state: "waiting" | "confirmed" | "removed"; address: string; paths: Paths };

function Forwarding({ state, address, paths }: ForwardingProps) {
  if (state === "removed")
    return (
      <>
        <MailLinkTitle title="Emails about leads" text="This address gets no leads." />
        <p role="status">It was removed, or no one confirmed it within seven days.</p>
      </>
    );
  return (
    <>
      <MailLinkTitle title="Emails about leads" text={<bdi>{address}</bdi>} />
      {state === "waiting" ? (
        <PressForm action={paths.confirm} label="Send new leads to this address">
          You get the contact details of each visitor who shares them with the person who asked you. Use them only for
          what the visitor agreed to, which is in each email.
        </PressForm>
      ) : (
        <p role="status">New leads are sent to this address.</p>
      )}
      <PressForm action={paths.stop} label={state === "waiting" ? "No, remove this address" : "Stop these emails"} />
    </>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <IncompleteLink error={error} />;
}
