import type { ReactNode } from "react";

import { Time } from "#app/features/admin/admin-table.tsx";
import { queueLabel } from "#app/features/admin/messages.ts";
import { checkLabels, formatDuration } from "#app/features/status/messages.ts";
import { checkNames, msPerMinute } from "#app/features/status/rules.ts";
import { formatBytes, formatNumber, formatTime } from "#app/services/base/format.ts";
import { Button } from "#app/ui/components/button.tsx";
import { Panel } from "#app/ui/components/panel.tsx";

import type { System } from "./system-data.server.ts";

type RowProps = { title: ReactNode; state?: string | undefined; tone?: string | undefined; children?: ReactNode };

/** A line with its state at the end, and what belongs to it below. */
function Row({ title, state, tone = "text-muted", children }: RowProps) {
  return (
    <li className="grid gap-1 py-4 first:pt-0">
      <span className="flex flex-wrap items-baseline justify-between gap-x-4">
        <span className="min-w-0 font-semibold wrap-anywhere">{title}</span>
        {state && <span className={`text-sm font-medium tabular-nums ${tone}`}>{state}</span>}
      </span>
      {children}
    </li>
  );
}

/** What a kind of job does, and its name in the log. */
function QueueName({ name }: { name: string }) {
  return (
    <>
      {queueLabel(name)} <code className="text-xs font-normal text-muted">{name}</code>
    </>
  );
}

export function QueuesPanel({ queues, now }: System) {
  return (
    <Panel title="Queues">
      {queues.length === 0 ? (
        <p className="text-muted">Nothing is waiting.</p>
      ) : (
        <ul className={listClass}>
          {queues.map(({ name, waiting, dueSince, givenUp }) => {
            const lateMinutes = dueSince === undefined ? 0 : Math.floor((now - dueSince) / msPerMinute);
            return (
              <Row
                key={name}
                title={<QueueName name={name} />}
                state={waiting > 0 ? `${formatNumber(waiting)} waiting` : undefined}
              >
                {lateMinutes > 0 && (
                  <span className="text-sm text-warning">Oldest due for {formatDuration(lateMinutes)}</span>
                )}
                {givenUp > 0 && <span className="text-sm text-error">{formatNumber(givenUp)} failed</span>}
              </Row>
            );
          })}
        </ul>
      )}
    </Panel>
  );
}

export function FailedJobsPanel({ queues, failed }: System) {
  const total = queues.reduce((sum, { givenUp }) => sum + givenUp, 0);
  const repeated = queues.filter(({ givenUp }) => givenUp > 1);
  return (
    <Panel title="Failed jobs" aside={total > failed.length && `The newest ${failed.length} of ${formatNumber(total)}`}>
      {failed.length === 0 ? (
        <p className="text-muted">None. A job that fails ten times, within about a day and a half, waits here.</p>
      ) : (
        <>
          {repeated.length > 0 && (
            <div className="mb-5 flex flex-wrap gap-2.5">
              {repeated.map(({ name, givenUp }) => (
                <form key={name} method="post">
                  <input type="hidden" name="kind" value={name} />
                  <Button type="submit" size="s" name="intent" value="retry-all">
                    Retry all {formatNumber(givenUp)}: {queueLabel(name)}
                  </Button>
                </form>
              ))}
            </div>
          )}
          <ul className={listClass}>
            {failed.map((job) => (
              <FailedJob key={job.id} {...job} />
            ))}
          </ul>
        </>
      )}
    </Panel>
  );
}

/** Not what the job is to do: that names people. */
function FailedJob({ id, kind, createdAt, lastError }: System["failed"][number]) {
  return (
    <Row title={<QueueName name={kind} />}>
      <span className="text-sm wrap-anywhere">{lastError}</span>
      <span className="text-sm text-muted">
        Created on <Time at={createdAt} />
      </span>
      <div className="mt-1.5 flex flex-wrap items-start gap-x-4 gap-y-2">
        <form method="post">
          <input type="hidden" name="id" value={id} />
          <Button type="submit" size="s" name="intent" value="retry">
            Retry
          </Button>
        </form>
        <details className="open:basis-full">
          <summary className={summaryClass}>Discard</summary>
          <form method="post" className="grid justify-items-start gap-3 pt-1 pb-2">
            <input type="hidden" name="id" value={id} />
            <p className="text-sm text-muted">Deletes the job, so that its work is never done. You can’t undo this.</p>
            <Button type="submit" size="s" variant="danger" name="intent" value="discard">
              Discard this job
            </Button>
          </form>
        </details>
      </div>
    </Row>
  );
}

export function StoragePanel({ storage: { engine, disk, databaseBytes, pages } }: System) {
  return (
    <Panel title="Storage">
      <ul className={listClass}>
        <Row
          title="Disk of DATA_DIR"
          state={disk.isLow ? "Almost full" : undefined}
          tone="text-error"
        >{`${formatBytes(disk.free)} of ${formatBytes(disk.total)} are free`}</Row>
        <Row title={engine === "sqlite" ? "Database, SQLite" : "Database, PostgreSQL"}>
          {databaseBytes === undefined ? "The database doesn’t say its size" : formatBytes(databaseBytes)}
        </Row>
        <Row title="Stored pages">
          {`${formatNumber(pages.count)} public ${pages.count === 1 ? "page" : "pages"}, ${formatBytes(pages.bytes)} of at most ${formatBytes(pages.maxBytes)}`}
          <code className="text-xs text-muted">PAGE_CACHE_MB</code>
        </Row>
      </ul>
    </Panel>
  );
}

export function ProcessesPanel({ processes, now }: System) {
  return (
    <Panel title="Processes">
      {processes.length === 0 ? (
        <p className="text-muted">None has checked itself yet. Each does so at its start and then every minute.</p>
      ) : (
        <ul className={listClass}>
          {processes.map(({ id, startedAt, seenAt, results, version, isSilent }) => (
            <Row
              key={id}
              title={<code className="font-medium">{id.slice(0, 8)}</code>}
              state={isSilent ? `Silent for ${formatDuration(Math.floor((now - seenAt) / msPerMinute))}` : "Running"}
              tone={isSilent ? "text-warning" : "text-success"}
            >
              <span>{version ? `Meishi ${version}` : "An older version of Meishi"}</span>
              <span className="text-sm text-muted">
                Since <Time at={startedAt} />, last seen at {formatTime(seenAt)} UTC
              </span>
              <ul className="flex flex-wrap gap-x-4 text-sm">
                {checkNames.map((name) => (
                  <li key={name} className={results[name] === "failing" ? "text-error" : "text-muted"}>
                    {checkLabels[name].name}: {checkStates[results[name]]}
                  </li>
                ))}
              </ul>
            </Row>
          ))}
        </ul>
      )}
    </Panel>
  );
}

const checkStates = { well: "OK", failing: "failing", unset: "not set up" };

export function MaintenancePanel({ tasks }: System) {
  return (
    <Panel title="Maintenance">
      <p className="mb-4 text-sm text-muted">
        Each process runs these tasks at its start and then every hour; some run less often, in one process.
      </p>
      <ul className={listClass}>
        {tasks.map(({ name, last }) => (
          <li key={name} className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-x-5 gap-y-1 py-4 first:pt-0">
            <span className="grid min-w-0 gap-0.5">
              <span className="font-semibold first-letter:uppercase">{name}</span>
              <span className="text-sm text-muted">
                {last ? (
                  <>
                    <Time at={last.at} />, {describeRun(last)}
                  </>
                ) : (
                  "It hasn’t run yet"
                )}
              </span>
            </span>
            <form method="post">
              <input type="hidden" name="task" value={name} />
              <Button type="submit" size="s" name="intent" value="run" aria-label={`Run now: ${name}`}>
                Run now
              </Button>
            </form>
            {last?.error !== undefined && (
              <span className="col-span-2 text-sm text-error wrap-anywhere">Failed: {last.error}</span>
            )}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** "12 ms, 3 rows", "1.5 s" */
function describeRun({ ms, rows }: { ms: number; rows?: number | undefined }): string {
  const duration = ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} s`;
  return rows === undefined ? duration : `${duration}, ${formatNumber(rows)} ${rows === 1 ? "row" : "rows"}`;
}

const listClass = "-mb-4 divide-y divide-line";
const summaryClass =
  "inline-flex min-h-11 cursor-pointer list-none items-center rounded-control text-sm font-medium text-muted hover:text-text " +
  "[&::-webkit-details-marker]:hidden";
