import { randomUUID } from "node:crypto";

import { withDatabase } from "#tests/support/program/database.ts";
import type { Program } from "#tests/support/program/program.ts";

type Folder = Pick<Program, "dataDir">;

/** Gives an account a second factor, and its sessions a proof of identity that stays recent. */
export function makeOperator({ dataDir }: Folder, userId: string): void {
  withDatabase(dataDir, (database) => {
    database.prepare("insert into second_factor (owner_id, enabled_at) values (?, ?)").run(userId, Date.now());
    const inAnHour = Date.now() + 3_600_000;
    database.prepare("update session set verifiedAt = ? where userId = ?").run(inAnHour, userId);
  });
}

type Block = { ownerId: string; adminId: string; reason: string };

/** Blocks an account as an operator does, before its pages were in a cache. */
export function blockAccount({ dataDir }: Folder, { ownerId, adminId, reason }: Block): void {
  withDatabase(dataDir, (database) => {
    database
      .prepare("insert into account_block (owner_id, reason, created_at) values (?, ?, ?)")
      .run(ownerId, reason, Date.now());
    database
      .prepare(
        "insert into operator_log (id, admin_id, owner_id, action, detail, created_at) values (?, ?, ?, 'block', ?, ?)",
      )
      .run(randomUUID(), adminId, ownerId, reason, Date.now());
  });
}
