import { readLog } from "#app/features/integrations/copy-data.server.ts";
import { findIntegration } from "#app/features/integrations/data.server.ts";
import { integrationMessages as messages } from "#app/features/integrations/messages.ts";
import { leadTitle } from "#app/features/leads/inbox-rules.ts";
import { throwNotFound } from "#app/features/shell/shell.server.ts";
import { formatNumber } from "#app/services/base/format.ts";
import type { CopyState } from "#app/services/database/webhook-schema.ts";
import { intentAction } from "#app/services/forms/form-action.server.ts";
import { requireUser, services } from "#app/services/http/context.ts";
import { findPreferences } from "#app/services/preferences/account-preferences.server.ts";
import { formatOwnTime } from "#app/services/preferences/owner-time.ts";
import { BackLink } from "#app/ui/components/back-link.tsx";
import { Button, ButtonLink } from "#app/ui/components/button.tsx";
import { Notice } from "#app/ui/components/notice.tsx";
import { Page } from "#app/ui/components/page.tsx";
import { Panel } from "#app/ui/components/panel.tsx";

import type { Route } from "./+types/integration-page.ts";
import { integrationForms } from "./integration-action.server.ts";
import { StateBadge } from "./state-badges.tsx";

const logLength = 50;

export async function loader({ params, context, url }: Route.LoaderArgs) {
  const all = services(context);
  const ownerId = requireUser(context).id;
  const found = await findIntegration(all, { ownerId, id: params.id });
  if (!found) throwNotFound(context, url);
  const { id, destination, settings, state, pausedUntil } = found;
  const choice = await findPreferences(all.db, ownerId);
  const timeOf = (time: number) => formatOwnTime(time, choice);
  const { rows, counts, there } = await readLog(all.db, { id, limit: logLength });
  const count = (of: CopyState) => counts.get(of) ?? 0;
  return {
    id,
    name: destination.name,
    isConsent: destination.oauth !== undefined,
    target: settings ? destination.target(settings) : "",
    state: settings ? state : "refused",
    pausedUntil: pausedUntil > all.clock() ? timeOf(pausedUntil) : undefined,
    counts: {
      "Contacts there": there,
      Waiting: count("waiting"),
      "Deleted there": count("removed"),
      "Taken off the list": count("kept"),
      "Left out": count("left-out"),
      "Not sent": count("given-up"),
    },
    log: rows.map(({ copyName, lead, status, answer, nextAt, attempts, ...row }) => ({
      key: copyName,
      lead: lead && { id: lead.id, title: leadTitle(lead) },
      state: row.state,
      time: timeOf(row.updatedAt),
      answer: [status === null ? "" : `Answer ${status}.`, answer].filter(Boolean).join(" "),
      next: attempts > 0 && nextAt !== null ? timeOf(nextAt) : undefined,
    })),
  } as const;
}

export async function action(args: Route.ActionArgs) {
  return intentAction(args, integrationForms);
}

export function meta({ loaderData }: Route.MetaArgs) {
  return [{ title: `${loaderData?.name ?? "Integration"} | Meishi` }];
}

export default function IntegrationPage({ loaderData }: Route.ComponentProps) {
  const { name, isConsent, target, state, pausedUntil, log } = loaderData;
  return (
    <Page width="form" title={name} intro={target} back={<BackLink to="/integrations">Integrations</BackLink>}>
      {state === "refused" && (
        <Notice tone="error" title={`${name} no longer accepts your ${isConsent ? "leads" : "key"}`}>
          Nothing is sent until you {isConsent ? "connect it again" : "enter a new one"}.
        </Notice>
      )}
      {pausedUntil && <Notice title={`${name} asked for a pause`}>Sending goes on after {pausedUntil}.</Notice>}
      <StatePanel {...loaderData} />
      <Panel title="Log">
        {log.length === 0 ? (
          <p className="text-muted">Nothing was sent yet. Leads whose visitors agreed are sent within a minute.</p>
        ) : (
          <ul className="-my-3 divide-y divide-line">
            {log.map(({ key, ...entry }) => (
              <LogEntry key={key} {...entry} />
            ))}
          </ul>
        )}
      </Panel>
      <Panel title="Disconnect">
        <p className="mb-4 text-sm text-muted">
          Contacts that were sent stay there, and the end of a consent no longer reaches them. The log is deleted.
        </p>
        <details>
          <summary className="w-fit cursor-pointer text-sm font-medium text-muted">Disconnect {name}</summary>
          <form method="post" className="mt-3">
            <input type="hidden" name="intent" value="delete" />
            <Button type="submit" size="s" variant="danger">
              Disconnect now
            </Button>
          </form>
        </details>
      </Panel>
    </Page>
  );
}

type StatePanelProps = Pick<Route.ComponentProps["loaderData"], "id" | "isConsent" | "state" | "counts">;

function StatePanel({ id, isConsent, state, counts }: StatePanelProps) {
  const [renew, change] = isConsent ? ["Connect again", "Connect again"] : ["Enter a new key", "Change the settings"];
  return (
    <Panel title="State">
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2">
        <dt className="text-muted">Connection</dt>
        <dd>
          <StateBadge state={state} />
        </dd>
        {Object.entries(counts).map(([label, count]) => (
          <div key={label} className="contents">
            <dt className="text-muted">{label}</dt>
            <dd className="tabular-nums">{formatNumber(count)}</dd>
          </div>
        ))}
      </dl>
      <div className="mt-5 flex flex-wrap gap-3">
        <ButtonLink href={`/integrations/${id}/edit`} size="s" variant={state === "refused" ? "main" : "quiet"}>
          {state === "refused" ? renew : change}
        </ButtonLink>
        <ActionButton intent="test">Test the connection</ActionButton>
        {state === "on" && <ActionButton intent="pause">Pause</ActionButton>}
        {state === "paused" && <ActionButton intent="resume">Resume</ActionButton>}
        {counts["Not sent"] > 0 && <ActionButton intent="retry">Try the others again</ActionButton>}
      </div>
    </Panel>
  );
}

function ActionButton({ intent, children }: { intent: string; children: React.ReactNode }) {
  return (
    <form method="post">
      <input type="hidden" name="intent" value={intent} />
      <Button type="submit" size="s">
        {children}
      </Button>
    </form>
  );
}

type LogEntryProps = Omit<Route.ComponentProps["loaderData"]["log"][number], "key">;

function LogEntry({ lead, state, time, answer, next }: LogEntryProps) {
  return (
    <li className="grid gap-0.5 py-3 wrap-anywhere">
      <span className="flex flex-wrap items-baseline justify-between gap-x-4">
        {lead ? (
          <a href={`/leads/${lead.id}`} dir="auto" className="font-medium">
            {lead.title}
          </a>
        ) : (
          <span className="font-medium text-muted">A contact that is gone</span>
        )}
        <span className={state === "given-up" ? "text-sm font-medium text-error" : "text-sm text-muted"}>
          {messages.copies[state]}
        </span>
      </span>
      {answer && <span className="line-clamp-3 text-sm">{answer}</span>}
      <span className="text-sm text-muted">
        {time}
        {next && `, tried again ${next}`}
      </span>
    </li>
  );
}
