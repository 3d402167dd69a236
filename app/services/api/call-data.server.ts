import { createHash } from "node:crypto";

import { z } from "zod";

import type { Db } from "#app/services/database/database.server.ts";

/** How long a repeated `Idempotency-Key` gets the first response. */
export const repeatMs = 24 * 60 * 60_000;
/** A call that has run longer than this was cut off with its process, and may run again. */
const lostMs = 60_000;

export type StoredResponse = { status: number; headers: Record<string, string>; body: string };

type NewCall = { keyId: string; ownerId: string; idempotencyKey: string; requestHash: string; now: number };

/** A hash of what a repeated call has in common. */
export function hashRequest(method: string, path: string, body: Uint8Array): string {
  return createHash("sha256").update(`${method} ${path}\n`).update(body).digest("base64url");
}

/**
 * Reserves an `Idempotency-Key` for a call: "new" for the first one, "running" while that runs, "other" when it was another request, and the
 * stored response after it.
 */
export async function startCall(
  db: Db,
  { keyId, ownerId, idempotencyKey, requestHash, now }: NewCall,
): Promise<"new" | "running" | "other" | StoredResponse> {
  const { numInsertedOrUpdatedRows = 0n } = await db
    .insertInto("api_call")
    .values({
      key_id: keyId,
      owner_id: ownerId,
      idempotency_key: idempotencyKey,
      request_hash: requestHash,
      created_at: now,
    })
    .onConflict((conflict) =>
      conflict
        .columns(["key_id", "idempotency_key"])
        .doUpdateSet({ request_hash: requestHash, status: null, headers: "{}", body: "", created_at: now })
        .where((row) =>
          row.or([
            row("api_call.created_at", "<=", now - repeatMs),
            row.and([
              row("api_call.status", "is", null),
              row("api_call.created_at", "<=", now - lostMs),
              row("api_call.request_hash", "=", requestHash),
            ]),
          ]),
        ),
    )
    .executeTakeFirst();
  if (numInsertedOrUpdatedRows > 0n) return "new";
  const row = await db
    .selectFrom("api_call")
    .selectAll()
    .where("key_id", "=", keyId)
    .where("idempotency_key", "=", idempotencyKey)
    .executeTakeFirst();
  if (!row) return "running";
  if (row.request_hash !== requestHash) return "other";
  if (row.status === null) return "running";
  return { status: row.status, headers: storedHeaders.parse(JSON.parse(row.headers)), body: row.body };
}

const storedHeaders = z.record(z.string(), z.string());

/** Stores the response of a call for when it is repeated. Without one, the call may be made again. */
export async function endCall(
  db: Db,
  { keyId, idempotencyKey }: Pick<NewCall, "keyId" | "idempotencyKey">,
  response: StoredResponse | undefined,
): Promise<void> {
  if (response)
    await db
      .updateTable("api_call")
      .set({ status: response.status, headers: JSON.stringify(response.headers), body: response.body })
      .where("key_id", "=", keyId)
      .where("idempotency_key", "=", idempotencyKey)
      .execute();
  else
    await db.deleteFrom("api_call").where("key_id", "=", keyId).where("idempotency_key", "=", idempotencyKey).execute();
}
