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

/** Jobs that were given up, one of them with a long error. */
export function addFailedJobs({ dataDir }: Folder): void {
  const now = Date.now();
  const givenUp = { tries: 10, run_at: now + 86_400_000, created_at: now };
  const longError = `connect ECONNREFUSED 2001:db8::1:443 https://hooks.example.com/${"services/".repeat(12)}`;
  withDatabase(dataDir, (database) => {
    for (const [kind, last_error] of [
      ["forward-lead", longError],
      ["weekly-mail", "550 5.1.1 Mailbox unavailable"],
      ["weekly-mail", "550 5.1.1 Mailbox unavailable"],
    ] as const)
      insert(database, "job", { id: randomUUID(), kind, payload: "{}", ...givenUp, last_error });
  });
}
