import { randomUUID } from "node:crypto";

import type { Selectable } from "kysely";
import { z } from "zod";

import { enqueueRemoval } from "#app/features/uploads/storage/remove-files.server.ts";
import type { RequestOrigin } from "#app/services/auth/audit/security-events.server.ts";
import { lockUser } from "#app/services/auth/user-rows.server.ts";
import { transact } from "#app/services/database/database.server.ts";
import type { Db, Trx } from "#app/services/database/database.server.ts";
import type { DataExportTable } from "#app/services/database/schema.ts";
import type { Services } from "#app/services/http/context.ts";

import { abandonedAfterMs, exportLimit, exportPath } from "./rules.ts";

/** The kind of job that prepares an export. */
export const exportJob = "export-data";

export type ExportRef = { ownerId: string; id: string };

/** Reads the payload of the job. */
export const exportRef = z.object({ ownerId: z.string(), id: z.string() });

export type DataExportRow = Selectable<DataExportTable>;

export async function findExport(db: Db | Trx, ownerId: string): Promise<DataExportRow | undefined> {
  return db.selectFrom("data_export").selectAll().where("owner_id", "=", ownerId).executeTakeFirst();
}

export type StartResult =
  /** Also when one is running: there is one at a time. */
  | { kind: "started"; id: string }
  | { kind: "rate-limited"; until: number; limit: string }
  /** The account was deleted. */
  | { kind: "gone" };

/** Starts an export in place of an earlier one, whose file is deleted. */
export async function startExport(
  { db, jobs, rateLimits, auth, clock }: Services,
  { ownerId, origin }: { ownerId: string; origin: RequestOrigin },
): Promise<StartResult> {
  return transact(db, async (trx) => {
    if (!(await lockUser(trx, ownerId))) return { kind: "gone" };
    const now = clock();
    const earlier = await findExport(trx, ownerId);
    if (earlier?.state === "running" && earlier.expires_at > now) return { kind: "started", id: earlier.id };
    const refused = await rateLimits.consume([{ limit: exportLimit, subject: ownerId }], { trx });
    if (refused) return { kind: "rate-limited", ...refused };
    await deleteExport(trx, jobs, ownerId);
    const id = randomUUID();
    const row = {
      owner_id: ownerId,
      id,
      state: "running",
      requested_at: now,
      expires_at: now + abandonedAfterMs,
    } as const;
    await trx.insertInto("data_export").values(row).execute();
    await jobs.enqueue(trx, exportJob, { ownerId, id });
    await auth.recordSecurityEvent(trx, { ownerId, event: "data-exported", origin });
    return { kind: "started", id };
  });
}

/** Deletes the export of an account and its file, in the transaction that deletes the account. */
export async function deleteExport(trx: Trx, jobs: Services["jobs"], ownerId: string): Promise<void> {
  const rows = await trx.deleteFrom("data_export").where("owner_id", "=", ownerId).returning("id").execute();
  for (const { id } of rows) await enqueueRemoval(trx, jobs, { ownerId, paths: [exportPath(ownerId, id)] });
}

/** Counts a start of the job and returns how many there were; undefined when the export isn't running. */
export async function countStart(db: Db, ref: ExportRef): Promise<number | undefined> {
  const row = await updateRunning(db, ref)
    .set((row) => ({ tries: row("tries", "+", 1), files_done: 0 }))
    .returning("tries")
    .executeTakeFirst();
  return row?.tries;
}

export async function saveProgress(db: Db, ref: ExportRef, { done, total }: { done: number; total: number }) {
  await updateRunning(db, ref).set({ files_done: done, files_total: total }).execute();
}

/** False when the export is no longer running: it was deleted, or another worker was faster. */
export async function finishExport(
  trx: Trx,
  ref: ExportRef,
  { bytes, expiresAt }: { bytes: number; expiresAt: number },
): Promise<boolean> {
  const { numUpdatedRows } = await updateRunning(trx, ref)
    .set({ state: "ready", bytes, expires_at: expiresAt })
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** False when the export is no longer running. */
export async function failExport(db: Db, ref: ExportRef): Promise<boolean> {
  const { numUpdatedRows } = await updateRunning(db, ref).set({ state: "failed" }).executeTakeFirst();
  return numUpdatedRows > 0n;
}

function updateRunning(db: Db | Trx, { ownerId, id }: ExportRef) {
  return db
    .updateTable("data_export")
    .where("owner_id", "=", ownerId)
    .where("id", "=", id)
    .where("state", "=", "running");
}

/** Deletes exports whose time is over, and their files. */
export async function sweepExports({ db, jobs, clock }: Pick<Services, "db" | "jobs" | "clock">): Promise<void> {
  const expired = await db
    .selectFrom("data_export")
    .select(["owner_id", "id"])
    .where("expires_at", "<=", clock())
    .limit(500)
    .execute();
  for (const { owner_id: ownerId, id } of expired) {
    await transact(db, async (trx) => {
      const { numDeletedRows } = await trx
        .deleteFrom("data_export")
        .where("owner_id", "=", ownerId)
        .where("id", "=", id)
        .where("expires_at", "<=", clock())
        .executeTakeFirst();
      if (numDeletedRows > 0n) await enqueueRemoval(trx, jobs, { ownerId, paths: [exportPath(ownerId, id)] });
    });
  }
}
