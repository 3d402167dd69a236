import { scopes as allScopes } from "#app/services/api/resource.ts";

import { insert, withDatabase } from "#tests/support/program/database.ts";
import type { Program } from "#tests/support/program/program.ts";

const dayMs = 86_400_000;

/** An owner's API keys: one that works, with the longest texts, one that expired and one that was revoked. */
export function insertApiKeys({ dataDir }: Pick<Program, "dataDir">, ownerId: string): void {
  const now = Date.now();
  const scopes = allScopes.filter((scope) => scope !== "leads:write");
  const keys: Record<string, string | number>[] = [
    { name: "Widest".repeat(10), scopes: JSON.stringify(scopes), used_on: 20_000, used_by: "c".repeat(40) },
    { name: "CRM", scopes: '["leads:read"]', expires_at: now - dayMs },
    { name: "Backup script", scopes: JSON.stringify(allScopes), expires_at: now - dayMs, revoked_at: now - dayMs },
  ];
  withDatabase(dataDir, (database) => {
    for (const [index, row] of keys.entries())
      insert(database, "api_key", {
        id: `key-${index}-${ownerId}`,
        owner_id: ownerId,
        key_hash: `${index} ${ownerId}`,
        ending: "x9Zq",
        created_at: now - (index + 2) * dayMs,
        ...row,
      });
  });
}
