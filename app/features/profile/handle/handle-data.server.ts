import { createHash } from "node:crypto";

import type { Selectable } from "kysely";

import type { Db, Trx } from "#app/services/database/database.server.ts";
import type { HandleTable } from "#app/services/database/schema.ts";

import { checkHandle, maxHandles, similarHandles } from "./handle-rules.ts";

type HandleRows = Selectable<HandleTable>[];

/** Why the owner of the handles `owned` can't have this one; undefined when they can. */
export async function findHandleProblem(
  trx: Db | Trx,
  { handle, owned }: { handle: string; owned: HandleRows },
): Promise<"handle-taken" | "too-many-handles" | undefined> {
  if (handle === "" || owned.some((row) => row.handle === handle)) return undefined;
  if (owned.length >= maxHandles) return "too-many-handles";
  const taken = await trx.selectFrom("handle").select("handle").where("handle", "=", handle).executeTakeFirst();
  if (taken) return "handle-taken";
  // After the query above: of an account that is being deleted right now, one of the two finds the handle.
  const retired = await trx
    .selectFrom("retired_handle")
    .select("hash")
    .where("hash", "=", hashHandle(handle))
    .executeTakeFirst();
  return retired && "handle-taken";
}

type HandleRequest = { ownerId: string; handle: string };

/** The same for a valid handle that is being typed. Nothing is reserved: only saving gives it to the owner. */
export async function checkTypedHandle(db: Db, { ownerId, handle }: HandleRequest) {
  return findHandleProblem(db, { handle, owned: await listHandles(db, ownerId) });
}

/** The first of some handles like this one that the owner can have; "" when there is none. */
export function findFreeHandle(db: Db, { ownerId, handle }: HandleRequest): Promise<string> {
  return findFirstFree(db, { ownerId, handles: similarHandles(handle) });
}

/** A handle to offer instead of one that is taken or reserved: `like`, which is made from the owner's name, or a similar one. "" for none. */
export function suggestHandle(db: Db, { like, handle, ...request }: HandleRequest & { like: string }): Promise<string> {
  const handles = [...(like === handle ? [] : [like]), ...similarHandles(handle), ...similarHandles(like)];
  return findFirstFree(db, { ...request, handles });
}

async function findFirstFree(
  db: Db,
  { ownerId, handles }: Omit<HandleRequest, "handle"> & { handles: readonly string[] },
): Promise<string> {
  const owned = await listHandles(db, ownerId);
  for (const handle of handles) {
    if ("problem" in checkHandle(handle)) continue;
    const problem = await findHandleProblem(db, { handle, owned });
    if (problem === undefined) return handle;
    if (problem === "too-many-handles") return "";
  }
  return "";
}

function listHandles(db: Db, ownerId: string): Promise<HandleRows> {
  return db.selectFrom("handle").selectAll().where("owner_id", "=", ownerId).execute();
}

/** Needs no secret, so a handle stays retired when the installation's secrets are lost. */
export function hashHandle(handle: string): string {
  return createHash("sha256").update(`handle\n${handle}`).digest("base64url");
}

/** Makes a handle the owner's current one. Their former handle still belongs to them, and redirects. */
export async function writeHandle(
  trx: Trx,
  { ownerId, handle, handles, now }: { ownerId: string; handle: string; handles: HandleRows; now: number },
) {
  if (handle === (handles.find((row) => row.is_current === 1)?.handle ?? "")) return;
  await trx.updateTable("handle").set({ is_current: 0 }).where("owner_id", "=", ownerId).execute();
  if (handle === "") return;
  if (handles.some((row) => row.handle === handle)) {
    await trx
      .updateTable("handle")
      .set({ is_current: 1 })
      .where("handle", "=", handle)
      .where("owner_id", "=", ownerId)
      .execute();
    return;
  }
  // Fails if another user took it since the check: then the whole save is rolled back and refused.
  await trx.insertInto("handle").values({ handle, owner_id: ownerId, is_current: 1, created_at: now }).execute();
}
