import { data } from "react-router";

import type { Route } from "./+types/mail-page.ts";
import { openMailbox } from "./mailbox.server.ts";
import { MailText, MailTime } from "./mail-view.tsx";

export async function loader({ context, request, params, url }: Route.LoaderArgs) {
  const mail = await openMailbox(context, { request, url }).findStored(params.name);
  if (!mail) throw data(null, { status: 404 });
  const { to, from, subject, sentAt, text } = mail;
  return { to, from, subject, sentAt, text };
}

/** Shows the plain text: the HTML of an email may contain markup from elsewhere. */
export default function MailPage({ loaderData: { to, from, subject, sentAt, text } }: Route.ComponentProps) {
  return (
    <div className="mx-auto w-full max-w-160 px-5 pt-6 pb-10 sm:pt-14">
      <title>{`${subject} | Mailbox | Meishi`}</title>
      <a
        href="/dev/mail"
        className="inline-flex min-h-11 items-center gap-2 text-sm font-medium text-muted hover:text-text"
      >
        <span aria-hidden="true">←</span> All emails
      </a>
      <article className="mt-2 rounded-card border border-line bg-raised p-5 sm:p-8">
        <h1 className="heading text-lg">{subject}</h1>
        <dl className="mt-3 grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 border-b border-line pb-5 text-sm">
          <dt className="text-muted">To</dt>
          <dd>{to}</dd>
          <dt className="text-muted">From</dt>
          <dd>{from}</dd>
          <dt className="text-muted">Sent</dt>
          <dd>
            <MailTime at={sentAt} />
          </dd>
        </dl>
        <MailText text={text} />
      </article>
    </div>
  );
}
