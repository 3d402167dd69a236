import { Time } from "#app/features/admin/admin-table.tsx";
import { Pagination } from "#app/ui/components/pagination.tsx";
import {
  actionLabels,
  invitationLabels,
  jobLabels,
  noticeLabels,
  operatorActions,
} from "#app/features/admin/messages.ts";
import { listLog } from "#app/features/admin/operator-log-data.server.ts";
import type { LogEntry } from "#app/features/admin/operator-log-data.server.ts";
import { services } from "#app/services/http/context.ts";
import { EmptyState } from "#app/ui/components/panel.tsx";

import type { Route } from "./+types/log-page.ts";

const pageSize = 50;
const maxId = 100;

export async function loader({ context, url }: Route.LoaderArgs) {
  const before = (url.searchParams.get("before") ?? "").replaceAll("\u0000", "").slice(0, maxId) || undefined;
  return {
    ...(await listLog(services(context).db, { before, limit: pageSize })),
    isFirst: before === undefined,
  };
}

export function meta() {
  return [{ title: "Log | Meishi" }];
}

export default function LogPage({ loaderData: { entries, next, isFirst } }: Route.ComponentProps) {
  return (
    <>
      <header className="grid gap-1.5">
        <h1 className="heading text-xl">Log</h1>
        <p className="text-muted">Operator actions and payment alerts of the last 180 days.</p>
      </header>
      {entries.length === 0 ? (
        <EmptyState title="Nothing yet" text="Blocks, deletions and other actions on accounts appear here." />
      ) : (
        <ul className="rounded-card border border-line bg-raised px-5">
          {entries.map((entry) => (
            <Entry key={entry.id} {...entry} />
          ))}
        </ul>
      )}
      <Pagination
        next={next && `/admin/log?before=${encodeURIComponent(next)}`}
        first={isFirst ? undefined : "/admin/log"}
      />
    </>
  );
}

function Entry({ at, action, ownerId, ownerEmail, ...source }: LogEntry) {
  const hasNoAccount = action in invitationLabels || action in jobLabels;
  const detail = hasNoAccount ? "" : source.detail;
  return (
    <li className="grid gap-0.5 border-b border-line py-3.5 wrap-anywhere last:border-0">
      <span>
        <span className="font-medium">{labelOf(action)}</span>
        {": "}
        {hasNoAccount ? (
          source.detail || "a deleted account"
        ) : ownerEmail === null ? (
          `a deleted account (${ownerId.slice(0, 8)})`
        ) : (
          <a href={`/admin/users/${ownerId}`} className="underline">
            {ownerEmail}
          </a>
        )}
      </span>
      {detail && <span dir="auto">{detail}</span>}
      <span className="text-sm text-muted">
        <Time at={at} />, {sourceOf(source)}
      </span>
    </li>
  );
}

/** A newer version may have logged an action that this one doesn't know. */
function labelOf(action: string): string {
  const known = operatorActions.find((one) => one === action);
  return known ? actionLabels[known] : (otherLabels[action] ?? action);
}

const otherLabels: Record<string, string> = { ...noticeLabels, ...invitationLabels, ...jobLabels };

function sourceOf({
  isCommandLine,
  isByStripe,
  adminEmail,
}: Pick<LogEntry, "isCommandLine" | "isByStripe" | "adminEmail">) {
  if (isByStripe) return "Stripe";
  return isCommandLine ? "command line" : (adminEmail ?? "a deleted account");
}
