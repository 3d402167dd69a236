import { createHash, randomBytes, randomUUID } from "node:crypto";

import { sql } from "kysely";
import { z } from "zod";

import { lockOwnCard } from "#app/features/leads/form-data.server.ts";
import { isNotBlocked } from "#app/services/database/account-block.server.ts";
import type { RequestOrigin } from "#app/services/auth/audit/security-events.server.ts";
import type { HandedOver } from "#app/services/auth/sessions/session-rows.server.ts";
import { transact } from "#app/services/database/database.server.ts";
import type { Db, Trx } from "#app/services/database/database.server.ts";
import { deleteInParts } from "#app/services/jobs/long-work.server.ts";
import type { Services } from "#app/services/http/context.ts";

import { lastSeenStepMs, maxDevices, unusedMs } from "./rules.ts";

/** A device with a kiosk link, as its owner sees it. Times in epoch milliseconds. */
export type KioskDevice = {
  id: string;
  name: string;
  received: number;
  createdAt: number;
  lastSeenAt: number | null;
};

/** What a kiosk link opens. */
export type OpenDevice = { id: string; ownerId: string; cardId: string; heading: string };

export type CreateDeviceResult =
  | { kind: "created"; id: string; token: string }
  | { kind: "missing" }
  | { kind: "too-many" };

/** `heading`: what its page says above the form; "" for the usual one. */
type NewDevice = { ownerId: string; cardId: string; name: string; heading: string; origin: RequestOrigin };

type DeviceDeps = Pick<Services, "db" | "auth" | "clock">;

/** Creates a kiosk link of a card. The token is returned once: only its hash is stored. */
export async function createDevice(
  { db, auth, clock }: DeviceDeps,
  { ownerId, cardId, name, heading, origin }: NewDevice,
): Promise<CreateDeviceResult> {
  const token = randomBytes(32).toString("base64url");
  return transact(db, async (trx) => {
    if (!(await lockOwnCard(trx, { ownerId, cardId }))) return { kind: "missing" };
    if ((await listDevices(trx, { ownerId, cardId })).length >= maxDevices) return { kind: "too-many" };
    const row = { id: randomUUID(), owner_id: ownerId, card_id: cardId, name, heading, token_hash: hashOf(token) };
    await trx
      .insertInto("kiosk_device")
      .values({ ...row, created_at: clock() })
      .execute();
    await auth.recordSecurityEvent(trx, { ownerId, event: "kiosk-link-created", detail: name, origin });
    return { kind: "created", id: row.id, token };
  });
}

/** Ends a kiosk link at once. False when there is none. */
export async function removeDevice(
  { db, auth }: Pick<DeviceDeps, "db" | "auth">,
  { ownerId, cardId, id, origin }: { ownerId: string; cardId: string; id: string; origin: RequestOrigin },
): Promise<boolean> {
  return transact(db, async (trx) => {
    const removed = await trx
      .deleteFrom("kiosk_device")
      .where("id", "=", id)
      .where("owner_id", "=", ownerId)
      .where("card_id", "=", cardId)
      .returning("name")
      .executeTakeFirst();
    if (!removed) return false;
    await auth.recordSecurityEvent(trx, { ownerId, event: "kiosk-link-removed", detail: removed.name, origin });
    return true;
  });
}

/** The kiosk links of a card, the newest first. */
export async function listDevices(
  db: Db | Trx,
  { ownerId, cardId }: { ownerId: string; cardId: string },
): Promise<KioskDevice[]> {
  const rows = await db
    .selectFrom("kiosk_device")
    .select(["id", "name", "received", "created_at", "last_seen_at"])
    .where("owner_id", "=", ownerId)
    .where("card_id", "=", cardId)
    .orderBy("created_at", "desc")
    .orderBy("id")
    .execute();
  return rows.map(({ created_at, last_seen_at, ...row }) => ({
    ...row,
    createdAt: created_at,
    lastSeenAt: last_seen_at,
  }));
}

/** The device with this token, and notes that it was seen. Undefined for an unknown or removed link, and while its owner is blocked. */
export async function findDevice(
  { db, clock }: Pick<Services, "db" | "clock">,
  token: string,
): Promise<OpenDevice | undefined> {
  const row = await db
    .selectFrom("kiosk_device")
    .innerJoin("card", "card.id", "kiosk_device.card_id")
    .select(["kiosk_device.id", "kiosk_device.owner_id", "kiosk_device.card_id", "heading", "last_seen_at"])
    .where("token_hash", "=", hashOf(token))
    .where(isNotBlocked("card.owner_id"))
    .executeTakeFirst();
  if (!row) return undefined;
  const now = clock();
  if (now - (row.last_seen_at ?? 0) >= lastSeenStepMs)
    await db.updateTable("kiosk_device").set({ last_seen_at: now }).where("id", "=", row.id).execute();
  return { id: row.id, ownerId: row.owner_id, cardId: row.card_id, heading: row.heading };
}

/** Counts a lead of a device, in the lead's transaction. */
export async function countReceived(trx: Trx, id: string): Promise<void> {
  await trx
    .updateTable("kiosk_device")
    .set((row) => ({ received: row("received", "+", 1) }))
    .where("id", "=", id)
    .execute();
}

/** Deletes the links that no device has used for a year. */
export function deleteUnusedDevices({ db, clock }: Pick<Services, "db" | "clock">): Promise<number> {
  const before = clock() - unusedMs;
  const where = sql`created_at < ${before} and (last_seen_at is null or last_seen_at < ${before})`;
  return deleteInParts(db, { from: "kiosk_device", key: ["id"], where });
}

/** What a browser shows that was handed over: the kiosk link of a card. */
type HandedOverForm = z.infer<typeof handedOverForm>;

const handedOverForm = z.object({ path: z.string(), cardId: z.string(), deviceId: z.string() });

/** Encrypted, because the path is a secret of which the database has only a hash. */
export function encryptForm({ secretBox }: Pick<Services, "secretBox">, ownerId: string, form: HandedOverForm): string {
  return secretBox("hand over").encrypt(JSON.stringify(form), ownerId);
}

/** Undefined when the installation's secret was replaced since. */
export function decryptForm(
  { secretBox }: Pick<Services, "secretBox">,
  { ownerId, form }: Pick<HandedOver, "ownerId" | "form">,
): HandedOverForm | undefined {
  const json = secretBox("hand over").read(form, ownerId);
  return json === undefined ? undefined : handedOverForm.parse(JSON.parse(json));
}

function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
