import { data, redirect } from "react-router";

import type { Services } from "#app/services/http/context.ts";

import type { Route } from "./+types/mail-page.ts";
import { openMailbox } from "./mailbox.server.ts";
import { latestName, MailText, MailTime } from "./mail-view.tsx";

export async function loader({ context, request, params, url }: Route.LoaderArgs) {
  const mailbox = openMailbox(context, { request, url });
  if (params.name === latestName) throw redirect(await findLatest(mailbox, url.searchParams.get("to")));
  const mail = await mailbox.findStored(params.name);
  if (!mail) throw data(null, { status: 404 });
  const { name, to, from, subject, sentAt, text, html } = mail;
  return { to, from, subject, sentAt, text, htmlPath: html && `/dev/mail/${name}/mail.html` };
}

/** The last email to an address; the list while there is none. */
async function findLatest(mailbox: Services["mail"], to: string | null): Promise<string> {
  const latest = (await mailbox.listStored()).find((mail) => mail.to === to);
  return latest ? `/dev/mail/${latest.name}` : "/dev/mail";
}

/** The email as mail programs show it, in a frame because its markup may come from elsewhere, and its plain text. */
export default function MailPage({ loaderData: { to, from, subject, sentAt, text, htmlPath } }: Route.ComponentProps) {
  return (
    <div className="mx-auto w-full max-w-280 px-5 pt-6 pb-10 sm:pt-14">
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
        <div className={htmlPath ? "grid gap-x-8 lg:grid-cols-2" : ""}>
          {htmlPath && (
            <iframe
              title="The email as mail programs show it"
              sandbox="allow-top-navigation-by-user-activation"
              src={htmlPath}
              className="mt-5 block h-170 w-full rounded-control border border-line-strong bg-white"
            />
          )}
          <MailText text={text} />
        </div>
      </article>
    </div>
  );
}
