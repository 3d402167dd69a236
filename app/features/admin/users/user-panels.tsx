import { describeEvent } from "#app/features/account/sessions/security-event-messages.ts";
import { Time } from "#app/features/admin/admin-table.tsx";
import { eventLabels } from "#app/features/admin/messages.ts";
import { formatBytes } from "#app/services/base/format.ts";
import { Panel } from "#app/ui/components/panel.tsx";

import type { ListedUser, UserState } from "./user-data.server.ts";
import type { UserDetails } from "./user-details-data.server.ts";

export function StateBadge({ state }: { state: UserState }) {
  const { label, className } = states[state];
  return (
    <span
      className={`inline-flex items-center gap-1.5 rounded-full border border-current px-2.5 text-xs leading-5.5 before:size-1.5 before:rounded-full before:bg-current ${className}`}
    >
      {label}
    </span>
  );
}

const states: Record<UserState, { label: string; className: string }> = {
  confirmed: { label: "Confirmed", className: "text-success" },
  unconfirmed: { label: "Unconfirmed", className: "text-warning" },
  blocked: { label: "Blocked", className: "text-error" },
};

type FactsProps = { user: ListedUser } & Pick<UserDetails, "cards" | "hasTwoStep" | "block">;

export function FactsPanel({ user, cards, hasTwoStep, block }: FactsProps) {
  return (
    <Panel title="Account">
      <dl className="grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)] sm:grid-cols-[minmax(6rem,auto)_minmax(0,1fr)] gap-x-6 gap-y-2.5 [&>dd]:font-medium [&>dd]:wrap-anywhere [&>dt]:text-muted">
        <dt>Email</dt>
        <dd>{user.email}</dd>
        <dt>Profile</dt>
        <dd>
          {user.state === "blocked" ? (
            `/u/${user.handle || user.id}`
          ) : (
            <a href={`/u/${user.handle || user.id}`} className="underline">
              {user.handle ? `@${user.handle}` : "Public profile"}
            </a>
          )}
        </dd>
        <dt>Plan</dt>
        <dd>{user.plan}</dd>
        <dt>Cards</dt>
        <dd>{cards}</dd>
        <dt>Storage</dt>
        <dd>{formatBytes(user.storedBytes)}</dd>
        <dt>Two-step verification</dt>
        <dd>{hasTwoStep ? "On" : "Off"}</dd>
        <dt>Last sign-in</dt>
        <dd>{user.signedInAt === undefined ? "None recorded" : <Time at={user.signedInAt} />}</dd>
        <dt>Joined</dt>
        <dd>
          <Time at={user.createdAt} />
        </dd>
        {block && <dt>Blocked</dt>}
        {block && (
          <dd>
            <Time at={block.at} />
          </dd>
        )}
      </dl>
    </Panel>
  );
}

export function SessionsPanel({ sessions }: Pick<UserDetails, "sessions">) {
  return (
    <Panel title="Sessions">
      {sessions.length === 0 ? (
        <p className="text-muted">Not signed in anywhere.</p>
      ) : (
        <ul className={listClass}>
          {sessions.map(({ id, browser, startedAt, seenAt }) => (
            <li key={id} className={itemClass}>
              <span className="font-medium">{browser}</span>
              <span className="text-sm text-muted">
                Signed in <Time at={startedAt} isDay />, last used <Time at={seenAt} isDay />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

export function EventsPanel({ events }: Pick<UserDetails, "events">) {
  return (
    <Panel title="Security events" aside={events.length > 0 && "Last 180 days"}>
      {events.length === 0 ? (
        <p className="text-muted">None in the last 180 days.</p>
      ) : (
        <ul className={listClass}>
          {events.map(({ id, event, detail, browser, network, at }) => (
            <li key={id} className={itemClass}>
              <span className="font-medium">
                {eventLabels[event] ?? event}
                {detail && (
                  <span className="font-normal text-muted"> ({describeEvent({ event, detail }).detail || detail})</span>
                )}
              </span>
              <span className="text-sm text-muted">
                <Time at={at} />
                {browser && `, ${browser}`}
                {network && `, network ${network}`}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

const listClass = "-mb-3 divide-y divide-line";
const itemClass = "grid gap-0.5 py-3 wrap-anywhere first:pt-0";
