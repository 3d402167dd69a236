import type { ReactNode } from "react";
import { data } from "react-router";

import { pageHead } from "#app/features/shell/page-head.ts";
import { pageWidthClass } from "#app/ui/components/page-width.ts";
import { formatDate, formatList, formatTime } from "#app/services/base/format.ts";
import { markSitePage, services } from "#app/services/http/context.ts";
import { ToneIcon } from "#app/ui/components/notice.tsx";
import type { Tone } from "#app/ui/components/notice.tsx";

import type { Route } from "./+types/status-page.ts";
import { checkLabels, describeBackup, describeIncident, formatDuration, formatIncidentTime } from "./messages.ts";
import { loadReport } from "./report.server.ts";
import type { CheckReport, InstanceReport, Report } from "./report.server.ts";
import { minuteOf, msPerMinute } from "./rules.ts";
import type { Incident } from "./rules.ts";
import { UptimeSection } from "./uptime-section.tsx";

export async function loader({ context }: Route.LoaderArgs) {
  const { report, isRead } = await loadReport(services(context));
  if (!isRead) return data({ report, isRead }, { status: 503, headers: { "retry-after": "60" } });
  markSitePage(context, { endsAt: (minuteOf(report.now) + 1) * msPerMinute });
  return data({ report, isRead });
}

/** Passes on `retry-after` while the database is unavailable. */
export function headers({ loaderHeaders }: Route.HeadersArgs) {
  return loaderHeaders;
}

export function meta(args: Route.MetaArgs) {
  const description = "Current status and uptime over the last 90 days, as measured by Meishi itself.";
  return [
    ...pageHead(args, { title: "Status | Meishi", description }),
    { tagName: "link", rel: "alternate", type: "application/json", href: "/status.json" },
  ];
}

export default function StatusPage({ loaderData }: Route.ComponentProps) {
  const { report, isRead } = loaderData;
  const { checks, instances, incidents, uptime, days, now, backup } = report;
  return (
    <div className={`${pageWidthClass} pt-10 sm:pt-16`}>
      <div className="mx-auto max-w-[807px]">
        <StatusHeader report={report} isRead={isRead} />
        {uptime && <UptimeSection uptime={uptime} days={days} now={now} />}
        <Section title="Checks">
          <CheckList checks={checks} processes={instances.length} />
        </Section>
        {instances.length > 0 && (
          <Section title="Processes">
            <InstanceList instances={instances} />
          </Section>
        )}
        {uptime && (
          <Section title="Incidents">
            <IncidentList incidents={incidents} />
          </Section>
        )}
        {backup && (
          <Section title="Backups">
            <p className="max-w-[44rem] text-muted">{describeBackup(backup)}</p>
          </Section>
        )}
        <Section title="How it’s measured">
          <MeasuringText />
        </Section>
      </div>
    </div>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="mt-14">
      <h2 className="heading mb-4 text-lg">{title}</h2>
      {children}
    </section>
  );
}

/** The current state as a heading and a sentence. */
function StatusHeader({ report, isRead }: { report: Report; isRead: boolean }) {
  const { tone, title, text } = isRead ? describeState(report) : unreadText;
  return (
    <header>
      <p className="eyebrow">Status</p>
      <h1 className="heading mt-3 flex items-start gap-3 text-[clamp(1.875rem,7vw,2.5rem)] leading-[1.15] tracking-[-0.015em]">
        <span className="flex h-[1.15em] items-center">
          <ToneIcon tone={tone} size={30} />
        </span>
        {title}
      </h1>
      <p className="mt-4 max-w-[38rem] text-muted">{text}</p>
    </header>
  );
}

type StatusText = { tone: Tone; title: string; text: string };

function describeState(report: Report): StatusText {
  const { state, instances, checks } = report;
  const latest = Math.max(...instances.map(({ checkedAt }) => checkedAt));
  if (state === "unknown") return describeSilence(report);
  const by = instances.length > 1 ? `, by ${instances.length} processes` : "";
  const checked = `Last checked at ${formatTime(latest)} UTC on ${formatDate(latest)}${by}.`;
  if (state === "well") return { tone: "success", title: "All systems operational", text: checked };
  const failing = checks.filter((check) => check.state === "failing").map(({ name }) => checkLabels[name].name);
  const rest = failing.length < checks.length ? " Everything else is operational." : "";
  return {
    tone: "error",
    title: "Some systems are failing",
    text: `Failing: ${formatList(failing)}.${rest} ${checked}`,
  };
}

function describeSilence({ uptime, incidents }: Report): StatusText {
  if (!uptime) return { tone: "info", title: "No data yet", text: notRecordedText };
  const [last] = incidents;
  const since = last?.isOver === false && last.kind === "gap" ? last.from * msPerMinute : undefined;
  const when = since ? ` since ${formatTime(since)} UTC on ${formatDate(since)}` : " recently";
  const text = `No checks were recorded${when}. This page still responds; the state of the other systems is unknown.`;
  return { tone: "warning", title: "No recent checks", text };
}

const notRecordedText = "Meishi checks itself at startup and then every minute. Reload this page in a moment.";

const unreadText: StatusText = {
  tone: "error",
  title: "Status unavailable",
  text: "This page works, but its database isn’t responding right now. No data is lost. Try again in a minute.",
};

/** Explains what the numbers mean. */
function MeasuringText() {
  return (
    <div className="grid max-w-[44rem] gap-3 text-muted">
      <p>
        Every minute, each process of this installation tests its database, file storage, email and background jobs, and
        records the results. A check that takes longer than ten seconds fails.
      </p>
      <p>
        A minute counts as up when at least one process passed all its checks. A minute without a record, because the
        process or its machine was off, counts as downtime. Outages shorter than a minute can go unnoticed, and so can
        network problems between this server and you.
      </p>
      <p>
        All times are UTC. The same data as JSON:{" "}
        <a className="inline-flex min-h-6 items-center text-text underline underline-offset-4" href="/status.json">
          /status.json
        </a>
      </p>
    </div>
  );
}

/** The latest times with failing checks or without records. */
function IncidentList({ incidents }: { incidents: readonly Incident[] }) {
  if (incidents.length === 0) {
    return <p className="border-t border-line py-4 text-muted">No incidents.</p>;
  }
  return (
    <ol>
      {incidents.map((incident) => (
        <li
          key={`${incident.kind} ${incident.from}`}
          className="items-baseline justify-between gap-x-6 border-t border-line py-4 sm:flex"
        >
          <p className="min-w-0">
            {describeIncident(incident)}{" "}
            <span className="text-muted">for {formatDuration(incident.until - incident.from)}</span>
          </p>
          <p className="text-sm text-muted tabular-nums">{formatIncidentTime(incident)} UTC</p>
        </li>
      ))}
    </ol>
  );
}

/** Each check with its current state and the time of the last run. */
function CheckList({ checks, processes }: { checks: readonly CheckReport[]; processes: number }) {
  return (
    <ul>
      {checks.map(({ name, state, failingOn, checkedAt }) => (
        <CheckRow
          key={name}
          {...checkLabels[name]}
          state={state}
          label={state === "failing" && processes > 1 ? `Failing on ${failingOn} of ${processes}` : undefined}
          checkedAt={state === "unset" ? undefined : checkedAt}
        />
      ))}
    </ul>
  );
}

/** The running processes, by the first characters of their random ids. */
function InstanceList({ instances }: { instances: readonly InstanceReport[] }) {
  return (
    <ul>
      {instances.map(({ id, state, startedAt, checkedAt }) => {
        const description = `Running since ${formatDate(startedAt)}, ${formatTime(startedAt)} UTC`;
        return <CheckRow key={id} name={`Process ${id}`} {...{ description, state, checkedAt }} />;
      })}
    </ul>
  );
}

type CheckRowProps = Pick<CheckReport, "state" | "checkedAt"> & {
  name: string;
  description: string;
  label?: string | undefined;
};

function CheckRow({ name, description, state, label, checkedAt }: CheckRowProps) {
  const { tone, text } = stateLabels[state];
  return (
    <li className="grid grid-cols-[1fr_auto] gap-x-6 border-t border-line py-4">
      <p className="font-medium">{name}</p>
      <p className="flex items-center justify-end gap-2">
        <ToneIcon tone={tone} />
        {label ?? text}
      </p>
      <p className="text-sm text-muted">{description}</p>
      {checkedAt !== undefined && (
        <p className="text-end text-sm text-muted tabular-nums">{formatTime(checkedAt)} UTC</p>
      )}
    </li>
  );
}

const stateLabels: Record<CheckReport["state"], { tone: Tone; text: string }> = {
  well: { tone: "success", text: "Operational" },
  failing: { tone: "error", text: "Failing" },
  low: { tone: "warning", text: "Low disk space" },
  unset: { tone: "info", text: "Not set up" },
  unknown: { tone: "info", text: "Unknown" },
};
