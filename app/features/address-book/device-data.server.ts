import { createHash, randomInt, randomUUID } from "node:crypto";

import { sql } from "kysely";

import type { RequestOrigin } from "#app/services/auth/audit/security-events.server.ts";
import { findRecipient, lockUser } from "#app/services/auth/user-rows.server.ts";
import { transact } from "#app/services/database/database.server.ts";
import type { Db, Trx } from "#app/services/database/database.server.ts";
import type { Services } from "#app/services/http/context.ts";
import { letterMail } from "#app/services/mail/letter.ts";
import type { Mail } from "#app/services/mail/mail.server.ts";

import { maxDevices } from "./rules.ts";

/** Times in epoch milliseconds. `usedAt`: null before the first use. */
export type Device = { id: string; name: string; createdAt: number; usedAt: number | null };

/** The owner's devices, the newest first. */
export async function listDevices(db: Db | Trx, ownerId: string): Promise<Device[]> {
  const rows = await db
    .selectFrom("address_book_device")
    .select(["id", "name", "created_at", "used_at"])
    .where("owner_id", "=", ownerId)
    .orderBy("created_at", "desc")
    .orderBy("id")
    .execute();
  return rows.map(({ id, name, created_at, used_at }) => ({ id, name, createdAt: created_at, usedAt: used_at }));
}

type CreateResult = { kind: "created"; password: string } | { kind: "too-many" } | { kind: "gone" };

/** Creates the password of a device, and mails its owner. The password is returned once: only its hash is stored. */
export async function createDevice(
  { db, auth, clock, jobs, config }: Pick<Services, "db" | "auth" | "clock" | "jobs" | "config">,
  { ownerId, name, origin }: { ownerId: string; name: string; origin: RequestOrigin },
): Promise<CreateResult> {
  return transact(db, async (trx) => {
    if (!(await lockUser(trx, ownerId))) return { kind: "gone" };
    if ((await listDevices(trx, ownerId)).length >= maxDevices) return { kind: "too-many" };
    const password = createPassword();
    const row = {
      id: randomUUID(),
      owner_id: ownerId,
      name,
      password_hash: hashPassword(password),
      created_at: clock(),
    };
    await trx.insertInto("address_book_device").values(row).execute();
    await auth.recordSecurityEvent(trx, { ownerId, event: "device-password-created", detail: name, origin });
    const to = await findRecipient(trx, ownerId);
    if (to) await jobs.enqueue(trx, "mail", deviceMail({ to, name, baseUrl: config.baseUrl }));
    return { kind: "created", password };
  });
}

/** Ends the password of a device. False when the owner has no such device. */
export async function revokeDevice(
  { db, auth }: Pick<Services, "db" | "auth">,
  { ownerId, id, origin }: { ownerId: string; id: string; origin: RequestOrigin },
): Promise<boolean> {
  return transact(db, async (trx) => {
    const revoked = await trx
      .deleteFrom("address_book_device")
      .where("id", "=", id)
      .where("owner_id", "=", ownerId)
      .returning("name")
      .executeTakeFirst();
    if (!revoked) return false;
    const event = { ownerId, event: "device-password-revoked", detail: revoked.name, origin } as const;
    await auth.recordSecurityEvent(trx, event);
    return true;
  });
}

export async function deleteDevicesOfOwner(trx: Trx, ownerId: string): Promise<void> {
  await trx.deleteFrom("address_book_device").where("owner_id", "=", ownerId).execute();
}

export type FoundDevice = { id: string; ownerId: string; email: string; isBlocked: boolean; usedAt: number | null };

/** The device with this password. One query, because each request of a device begins with it. */
export async function findDevice(db: Db, password: string): Promise<FoundDevice | undefined> {
  const { rows } = await sql<{
    id: string;
    owner_id: string;
    email: string;
    used_at: number | null;
    blocked: string | null;
  }>`
    select "address_book_device"."id", "address_book_device"."owner_id", "email", "used_at",
      "account_block"."owner_id" as "blocked"
    from "address_book_device"
    join "user" on "user"."id" = "address_book_device"."owner_id"
    left join "account_block" on "account_block"."owner_id" = "address_book_device"."owner_id"
    where "password_hash" = ${hashPassword(password)}`.execute(db);
  const [row] = rows;
  if (!row) return undefined;
  return { id: row.id, ownerId: row.owner_id, email: row.email, isBlocked: row.blocked !== null, usedAt: row.used_at };
}

/** Remembers at most once an hour that a device was used. */
export async function noteUse(db: Db, { id, usedAt }: FoundDevice, now: number): Promise<void> {
  if (usedAt !== null && usedAt > now - hourMs) return;
  await db.updateTable("address_book_device").set({ used_at: now }).where("id", "=", id).execute();
}

const hourMs = 3_600_000;

/** Without letters and digits that look alike. */
const alphabet = "abcdefghjkmnpqrstuvwxyz23456789";

/** Seven groups of four characters, which can be typed: 138 random bits. */
function createPassword(): string {
  const group = () => Array.from({ length: 4 }, () => alphabet[randomInt(alphabet.length)]).join("");
  return Array.from({ length: 7 }, group).join("-");
}

/** Random enough that a fast hash is safe. Keyboards of phones capitalize, and people leave hyphens out. */
function hashPassword(password: string): string {
  return createHash("sha256").update(password.toLowerCase().replace(/[\s-]/g, "")).digest("hex");
}

/** Tells an owner, in case it wasn't them: a device reads leads without signing in, and also after a new password. */
function deviceMail({ to, name, baseUrl }: { to: string; name: string; baseUrl: string }): Mail {
  return letterMail(
    {
      subject: "A device can now read your leads",
      heading: "A device can now read your leads",
      paragraphs: [
        `A password was created for “${name}”. With it, a contacts app shows your leads without signing in.`,
      ],
      action: { label: "See or revoke it", url: `${baseUrl}/leads/devices` },
      notes: ["If you didn’t create it, revoke it, change your password and sign out everywhere."],
    },
    { to, baseUrl },
  );
}
