import { formatNumber, formatWait } from "#app/services/base/format.ts";
import type { RateLimit } from "#app/services/http/rate-limits.server.ts";

const hourMs = 3_600_000;

/** How long a finished export can be downloaded, in hours. */
export const validHours = 24;
export const validMs = validHours * hourMs;

/** An export that is neither finished nor failed after this time is given up. */
export const abandonedAfterMs = 24 * hourMs;

/** Starts of the job: a few failures in a row may pass, and a process may be killed. Then the owner may start again. */
export const maxFailures = 3;
export const maxStarts = 6;

export const exportLimit: RateLimit = { name: "exports of an account", max: 3, windowMs: 24 * hourMs };

/** Where the file of an export is stored. */
export function exportPath(ownerId: string, id: string): string {
  return `exports/${ownerId}/${id}.zip`;
}

/** "meishi-2026-11-22.zip" */
export function exportFileName(time: number): string {
  return `meishi-${new Date(time).toISOString().slice(0, 10)}.zip`;
}

/** "in 3 hours", "in 12 minutes" */
export function formatLongWait(until: number, now: number): string {
  const hours = Math.ceil((until - now) / hourMs);
  return hours > 1 ? `in ${hours} hours` : formatWait(until, now);
}

/** The files that are in the archive so far; `total` is 0 until they are counted. */
export type ExportProgress = { isRunning: boolean; done: number; total: number };

/** What the page shows. Times are epoch milliseconds. */
export type ExportState =
  | { kind: "none" }
  | ({ kind: "running" } & ExportProgress)
  | { kind: "failed" }
  | { kind: "ready"; bytes: number; expiresAt: number };

/** "12 of 40 files" */
export function progressText({ done, total }: ExportProgress): string {
  return total === 0 ? "Counting your files" : `${formatNumber(done)} of ${formatNumber(total)} files`;
}

/** Reads a response of the progress route; undefined for anything else, for example a proxy's error page. */
export function readProgress(value: object | undefined): ExportProgress | undefined {
  if (!value || !("isRunning" in value && "done" in value && "total" in value)) return undefined;
  const { isRunning, done, total } = value;
  if (typeof isRunning !== "boolean" || typeof done !== "number" || typeof total !== "number") return undefined;
  return { isRunning, done, total };
}
