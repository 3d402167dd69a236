import { randomUUID } from "node:crypto";

import { insert, withDatabase } from "#tests/support/program/database.ts";
import type { Program } from "#tests/support/program/program.ts";

type Folder = Pick<Program, "dataDir">;

/** Gives an account a second factor, and its sessions a proof of identity that stays recent. */
export function makeOperator({ dataDir }: Folder, userId: string): void {
  withDatabase(dataDir, (database) => {
    insert(database, "second_factor", { owner_id: userId, enabled_at: Date.now() });
    const inAnHour = Date.now() + 3_600_000;
    database.prepare("update session set verifiedAt = ? where userId = ?").run(inAnHour, userId);
  });
}

type Block = { ownerId: string; adminId: string; reason: string };

/** Blocks an account as an operator does, before its pages were in a cache. */
export function blockAccount({ dataDir }: Folder, { ownerId, adminId, reason }: Block): void {
  withDatabase(dataDir, (database) => {
    const now = { owner_id: ownerId, created_at: Date.now() };
    insert(database, "account_block", { ...now, reason });
    const done = { id: randomUUID(), admin_id: adminId, action: "block", detail: reason };
    insert(database, "operator_log", { ...now, ...done });
  });
}
