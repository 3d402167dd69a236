import type { ReactNode } from "react";
import { Link } from "react-router";

import type { ListedLead } from "#app/features/leads/inbox/list/listed-lead-row.server.ts";
import type { ProfileGap } from "#app/features/shell/frame/call-to-action-banner.tsx";
import { usePremiumAccess } from "#app/features/shell/site-facts.ts";
import { formatNumber } from "#app/services/base/format.ts";
import { ButtonLink } from "#app/ui/components/button.tsx";
import { Chevron } from "#app/ui/components/icon.tsx";
import { Panel } from "#app/ui/components/panel.tsx";

/** The newest leads. `formCard`: a card whose form is on; this phone can be handed over with it. */
export function LeadsPanel({ leads, formCard }: { leads: readonly ListedLead[]; formCard: string | undefined }) {
  return (
    <Panel
      title="Leads"
      aside={
        leads.length > 0 && (
          <Link to="/leads" className={asideLinkClass}>
            All leads
          </Link>
        )
      }
    >
      {leads.length === 0 && (
        <p className="text-muted">
          {formCard
            ? "No leads yet. When visitors send you their details, they appear here."
            : "Turn on the contact form of a card, and visitors can send you their details."}
        </p>
      )}
      <ul className="-my-1 divide-y divide-line">
        {leads.map(({ id, title, isRead, contacts, time, iso }) => (
          <li key={id} className="relative py-2.5">
            <p className="flex items-baseline justify-between gap-3">
              <Link
                to={`/leads/${id}`}
                className="line-clamp-1 min-w-0 wrap-anywhere no-underline after:absolute after:inset-0"
              >
                {!isRead && <span className="me-2 inline-block size-2 rounded-full bg-main" aria-hidden="true" />}
                {!isRead && <span className="sr-only">Unread: </span>}
                <bdi className={isRead ? "font-medium" : "font-semibold"}>{title}</bdi>
              </Link>
              <time dateTime={iso} className="text-sm whitespace-nowrap text-muted">
                {time}
              </time>
            </p>
            {contacts.length > 0 && (
              <p className="line-clamp-1 text-sm wrap-anywhere text-muted">{contacts.join(" · ")}</p>
            )}
          </li>
        ))}
      </ul>
      {formCard && (
        <ButtonLink size="s" href={`/cards/${formCard}/hand-over`} className="mt-4">
          Hand over this phone
        </ButtonLink>
      )}
    </Panel>
  );
}

type Week = { visits: number; saves: number; clicks: number };

/** The last seven days; undefined for a plan without analytics. */
export function VisitsPanel({ week }: { week: Week | undefined }) {
  const isSold = usePremiumAccess() === "sold";
  return (
    <Panel
      title="Last 7 days"
      aside={
        <Link to="/analytics" className={asideLinkClass}>
          Analytics
        </Link>
      }
    >
      {week ? (
        <dl className="grid grid-cols-3 gap-3">
          {Object.entries({ Visits: week.visits, Saves: week.saves, Clicks: week.clicks }).map(([label, count]) => (
            <div key={label} className="grid">
              <dt className="order-2 text-sm text-muted">{label}</dt>
              <dd className="heading text-xl tabular-nums">{formatNumber(count)}</dd>
            </div>
          ))}
        </dl>
      ) : (
        <p className="text-muted">
          Your visits are counted.{" "}
          {isSold ? (
            <a href="/pricing" className="underline underline-offset-4">
              See them with Premium
            </a>
          ) : (
            "Premium shows them."
          )}
        </p>
      )}
    </Panel>
  );
}

/** Something that isn't set up yet; `cardId` is the card for it. */
export type Todo = { kind: ProfileGap | "form" | "pass"; cardId: string };

export function TodoPanel({ items }: { items: readonly Todo[] }) {
  return (
    <Panel title="Left to do">
      <ul className="-my-2 divide-y divide-line">
        {items.map(({ kind, cardId }) => {
          const { href, title, text } = todoLinks[kind](cardId);
          return (
            <TodoItem key={kind} href={href} title={title}>
              {text}
            </TodoItem>
          );
        })}
      </ul>
    </Panel>
  );
}

const todoLinks: Record<Todo["kind"], (cardId: string) => { href: string; title: string; text: string }> = {
  photo: () => ({
    href: "/profile",
    title: "Add your photo",
    text: "People recognize you, and your contact shows it.",
  }),
  links: () => ({
    href: "/profile#links",
    title: "Add your links",
    text: "Your portfolio, booking page and networks.",
  }),
  form: (cardId) => ({
    href: `/cards/${cardId}/leads`,
    title: "Turn on the contact form",
    text: "Visitors send you their details in return.",
  }),
  pass: (cardId) => ({
    href: `/cards/${cardId}/pass`,
    title: "Add your wallet pass",
    text: "Your card in the wallet of your phone, always up to date.",
  }),
};

function TodoItem({ href, title, children }: { href: string; title: string; children: ReactNode }) {
  return (
    <li className="relative flex items-center gap-4 py-3">
      <span className="grow">
        <a href={href} className="font-medium no-underline after:absolute after:inset-0">
          {title}
        </a>
        <small className="block text-sm text-muted">{children}</small>
      </span>
      <Chevron className="-rotate-90 rtl:rotate-90" />
    </li>
  );
}

const asideLinkClass = "inline-flex min-h-6 items-center text-text underline underline-offset-4";
