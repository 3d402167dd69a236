import { randomUUID } from "node:crypto";

import { sql } from "kysely";
import { z } from "zod";

import type { Db, Trx } from "#app/services/database/database.server.ts";

import { createKey, hashKey } from "./api-key.ts";
import { scopes } from "./resource.ts";
import type { ApiOwner, Scope } from "./resource.ts";

/** A key as its owner sees it. Times in epoch milliseconds; `usedOn` in days since 1970. */
export type ApiKey = {
  id: string;
  name: string;
  /** The last four characters. */
  ending: string;
  scopes: Scope[];
  createdAt: number;
  /** null: never. */
  expiresAt: number | null;
  revokedAt: number | null;
  usedOn: number | null;
  /** The client of the last call: "curl"; "" before the first. */
  usedBy: string;
};

/** The owner's keys, also those that have ended, the newest first. */
export async function listKeys(db: Db | Trx, ownerId: string): Promise<ApiKey[]> {
  const rows = await db
    .selectFrom("api_key")
    .selectAll()
    .where("owner_id", "=", ownerId)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .execute();
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    ending: row.ending,
    scopes: readScopes(row.scopes),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    usedOn: row.used_on,
    usedBy: row.used_by,
  }));
}

const storedScopes = z.array(z.string());

/** Without those of a later release. */
function readScopes(stored: string): Scope[] {
  const known = storedScopes.parse(JSON.parse(stored));
  return scopes.filter((scope) => known.includes(scope));
}

type NewKey = { ownerId: string; name: string; scopes: readonly Scope[]; expiresAt: number | null; now: number };

/** Adds a key and returns it with its text, which is not stored. The caller has locked the account. */
export async function addKey(trx: Trx, { ownerId, name, scopes, expiresAt, now }: NewKey) {
  const key = createKey();
  const id = randomUUID();
  const ending = key.slice(-4);
  await trx
    .insertInto("api_key")
    .values({
      id,
      owner_id: ownerId,
      name,
      key_hash: hashKey(key),
      ending,
      scopes: JSON.stringify(scopes),
      created_at: now,
      expires_at: expiresAt,
    })
    .execute();
  return { id, key };
}

/** Revokes a key for good. Returns its name; undefined when the owner has no such key that works. */
export async function revokeKey(
  trx: Trx,
  { ownerId, id, now }: { ownerId: string; id: string; now: number },
): Promise<string | undefined> {
  const revoked = await trx
    .updateTable("api_key")
    .set({ revoked_at: now, expires_at: now })
    .where("id", "=", id)
    .where("owner_id", "=", ownerId)
    .where("revoked_at", "is", null)
    .returning("name")
    .executeTakeFirst();
  return revoked?.name;
}

export async function deleteKeysOfOwner(trx: Trx, ownerId: string): Promise<void> {
  await trx.deleteFrom("api_key").where("owner_id", "=", ownerId).execute();
  await trx.deleteFrom("api_call").where("owner_id", "=", ownerId).execute();
}

/** A key that a request sent, with its account. */
export type FoundKey = {
  owner: ApiOwner;
  scopes: Scope[];
  expiresAt: number | null;
  revokedAt: number | null;
  isBlocked: boolean;
  usedOn: number | null;
  usedBy: string;
};

/** One query, because each call of the API begins with it. */
export async function findKey(db: Db, key: string): Promise<FoundKey | undefined> {
  const { rows } = await sql<{
    id: string;
    owner_id: string;
    scopes: string;
    expires_at: number | null;
    revoked_at: number | null;
    used_on: number | null;
    used_by: string;
    email: string;
    name: string;
    blocked: string | null;
  }>`
    select "api_key"."id", "api_key"."owner_id", "scopes", "expires_at", "revoked_at", "used_on", "used_by", "email", "user"."name",
      "account_block"."owner_id" as "blocked"
    from "api_key"
    join "user" on "user"."id" = "api_key"."owner_id"
    left join "account_block" on "account_block"."owner_id" = "api_key"."owner_id"
    where "key_hash" = ${hashKey(key)}`.execute(db);
  const [row] = rows;
  return (
    row && {
      owner: { id: row.owner_id, email: row.email, name: row.name, keyId: row.id },
      scopes: readScopes(row.scopes),
      expiresAt: row.expires_at,
      revokedAt: row.revoked_at,
      isBlocked: row.blocked !== null,
      usedOn: row.used_on,
      usedBy: row.used_by,
    }
  );
}

/** Remembers the day and the client of a call. */
export async function noteUse(db: Db, { keyId, day, client }: { keyId: string; day: number; client: string }) {
  await db.updateTable("api_key").set({ used_on: day, used_by: client }).where("id", "=", keyId).execute();
}
