import { formatNumber } from "#app/services/base/format.ts";

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
