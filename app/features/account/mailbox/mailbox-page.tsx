import { EmptyState } from "#app/ui/components/panel.tsx";

import type { Route } from "./+types/mailbox-page.ts";
import { openMailbox } from "./mailbox.server.ts";
import { MailTime } from "./mail-view.tsx";

export async function loader({ context, request, url }: Route.LoaderArgs) {
  const stored = await openMailbox(context, { request, url }).listStored();
  return { mails: stored.map(({ name, to, subject, sentAt }) => ({ name, to, subject, sentAt })) };
}

/** The emails that a mail server would have sent, for trying out the product. */
export default function MailboxPage({ loaderData: { mails } }: Route.ComponentProps) {
  return (
    <div className="mx-auto w-full max-w-160 px-5 pt-6 pb-10 sm:pt-14">
      <title>Mailbox | Meishi</title>
      <h1 className="heading text-xl">Mailbox</h1>
      <p className="mt-2 mb-6.5 text-muted">
        SMTP_URL isn’t set, so this server stores its emails here instead of sending them. Only this computer can open
        this page.
      </p>
      {mails.length === 0 ? (
        <EmptyState title="No emails yet" text="Sign up or reset a password, then reload this page." />
      ) : (
        <ul className="overflow-hidden rounded-card border border-line bg-raised">
          {mails.map(({ name, to, subject, sentAt }) => (
            <li key={name} className="border-b border-line last:border-0">
              <a href={`/dev/mail/${name}`} className="grid gap-0.5 px-5 py-4 no-underline hover:bg-higher">
                <span className="flex flex-wrap items-baseline justify-between gap-x-4">
                  <span className="font-semibold">{subject}</span>
                  <MailTime at={sentAt} />
                </span>
                <span className="text-sm text-muted">{to}</span>
              </a>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
