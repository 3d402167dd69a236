import { randomUUID } from "node:crypto";

import type { Selectable } from "kysely";
import { z } from "zod";

import type { RequestOrigin, SecurityEventKind } from "#app/services/auth/audit/security-events.server.ts";
import { lockUser } from "#app/services/auth/user-rows.server.ts";
import type { EncryptedColumns } from "#app/services/base/secret-box.server.ts";
import { transact } from "#app/services/database/database.server.ts";
import type { Db, Trx } from "#app/services/database/database.server.ts";
import type { CopyState, IntegrationSchema, IntegrationState } from "#app/services/database/webhook-schema.ts";
import type { Services } from "#app/services/http/context.ts";

import type { Destination, Settings } from "./destination.ts";
import { findDestination } from "./destinations.server.ts";
import { maxIntegrations } from "./rules.ts";

export const integrationEncryption: EncryptedColumns = {
  purpose: "integrations",
  table: "integration",
  key: ["id"],
  columns: ["settings"],
};

export type IntegrationRow = Selectable<IntegrationSchema["integration"]>;

/** `settings`: undefined when they can't be read, because the installation's secret was replaced. */
export type Integration = {
  id: string;
  ownerId: string;
  destination: Destination;
  settings: Settings | undefined;
  /** The settings as they are stored. */
  encrypted: string;
  state: IntegrationState;
  seenRevision: number;
  pausedUntil: number;
};

type Deps = Pick<Services, "db" | "secretBox">;
type ChangeDeps = Deps & Pick<Services, "auth" | "clock">;
type Own = { ownerId: string; id: string };
type OwnChange = Own & { origin: RequestOrigin };

/** An owner's integrations, the oldest first. */
export async function listIntegrations(
  deps: Pick<Services, "secretBox"> & { db: Db | Trx },
  ownerId: string,
): Promise<Integration[]> {
  const rows = await deps.db
    .selectFrom("integration")
    .selectAll()
    .where("owner_id", "=", ownerId)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  return rows.flatMap((row) => toIntegration(deps, row) ?? []);
}

/** Of any owner without one. */
export async function findIntegration(
  deps: Deps,
  { ownerId, id }: { ownerId?: string; id: string },
): Promise<Integration | undefined> {
  const row = await deps.db
    .selectFrom("integration")
    .selectAll()
    .where("id", "=", id)
    .$if(ownerId !== undefined, (query) => query.where("owner_id", "=", ownerId ?? ""))
    .executeTakeFirst();
  return row && toIntegration(deps, row);
}

/** Undefined for a kind that a newer version has added. */
function toIntegration({ secretBox }: Pick<Services, "secretBox">, row: IntegrationRow): Integration | undefined {
  const destination = findDestination(row.kind);
  if (!destination) return undefined;
  const stored = secretBox(integrationEncryption.purpose).read(row.settings, row.owner_id);
  return {
    id: row.id,
    ownerId: row.owner_id,
    destination,
    settings: stored === undefined ? undefined : settingsSchema.parse(JSON.parse(stored)),
    encrypted: row.settings,
    state: row.state,
    seenRevision: row.seen_revision,
    pausedUntil: row.paused_until,
  };
}

const settingsSchema = z.record(z.string(), z.string());

type NewIntegration = { ownerId: string; destination: Destination; settings: Settings; origin: RequestOrigin };

/**
 * Connects a service. The same settings again are the same integration, as when a button was pressed twice; so is the same account at a
 * service with OAuth, whose former token is replaced. Undefined when the owner has as many as possible, and when the account is gone.
 */
export async function addIntegration(deps: ChangeDeps, added: NewIntegration): Promise<string | undefined> {
  const { ownerId, destination, settings, origin } = added;
  const now = deps.clock();
  return transact(deps.db, async (trx) => {
    if (!(await lockUser(trx, ownerId))) return undefined;
    const known = await listIntegrations({ ...deps, db: trx }, ownerId);
    const same = known.find((one) => one.destination.kind === destination.kind && hasSettings(one, settings));
    if (same && destination.oauth) await replaceSettings(trx, { ...deps, ...added, id: same.id });
    if (same) return same.id;
    if (known.length >= maxIntegrations) return undefined;
    const id = randomUUID();
    const row = { id, owner_id: ownerId, kind: destination.kind, settings: encrypt(deps, ownerId, settings) };
    await trx
      .insertInto("integration")
      .values({ ...row, created_at: now, updated_at: now })
      .execute();
    await record(trx, deps, { ownerId, origin, event: "integration-added", destination, settings });
    return id;
  });
}

function hasSettings({ destination, settings: stored }: Integration, settings: Settings): boolean {
  if (destination.oauth) return stored?.["account"] === settings["account"];
  return stored !== undefined && Object.entries(settings).every(([name, value]) => stored[name] === value);
}

/** Replaces the settings, and goes on where it was refused. What wasn't accepted is tried again. False when it is gone. */
export async function saveSettings(
  deps: ChangeDeps,
  { ownerId, id, origin, destination, settings }: OwnChange & NewIntegration,
): Promise<boolean> {
  return transact(deps.db, (trx) => replaceSettings(trx, { ...deps, ownerId, id, origin, destination, settings }));
}

async function replaceSettings(
  trx: Trx,
  { ownerId, id, origin, destination, settings, ...deps }: OwnChange & NewIntegration & ChangeDeps,
): Promise<boolean> {
  const now = deps.clock();
  const [before] = (await listIntegrations({ ...deps, db: trx }, ownerId)).filter((one) => one.id === id);
  const { numUpdatedRows } = await trx
    .updateTable("integration")
    .set({ settings: encrypt(deps, ownerId, settings), state: "on", paused_until: 0, updated_at: now })
    .where("id", "=", id)
    .where("owner_id", "=", ownerId)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  // Ids of one account or server mean someone else at another. What was sent to the former one stays there.
  if (before?.settings && before.settings["place"] !== settings["place"])
    await trx
      .updateTable("integration_contact")
      .set({ remote_id: "", sent_hash: "" })
      .where("integration_id", "=", id)
      .execute();
  // What was sent is compared, also what is being sent now: the fields that details go to may be others.
  await sendAgain(trx, { id, now, states: ["given-up", "sent", "waiting"] });
  await record(trx, deps, { ownerId, origin, event: "integration-changed", destination, settings });
  return true;
}

/** Stores settings whose token the service replaced, unless the owner has connected it anew meanwhile. Returns them as they are stored. */
export async function saveToken(
  deps: Deps,
  { integration: { id, ownerId, encrypted }, settings }: { integration: Integration; settings: Settings },
): Promise<string> {
  const renewed = encrypt(deps, ownerId, settings);
  const { numUpdatedRows } = await deps.db
    .updateTable("integration")
    .set({ settings: renewed })
    .where("id", "=", id)
    .where("settings", "=", encrypted)
    .executeTakeFirst();
  return numUpdatedRows > 0n ? renewed : encrypted;
}

/** Whether it is on, with the same settings. */
export async function isUnchanged(db: Db, { id, encrypted }: Pick<Integration, "id" | "encrypted">): Promise<boolean> {
  const row = await db
    .selectFrom("integration")
    .select("id")
    .where("id", "=", id)
    .where("state", "=", "on")
    .where("settings", "=", encrypted)
    .executeTakeFirst();
  return row !== undefined;
}

/** Makes copies in these states due. */
export async function sendAgain(
  trx: Db | Trx,
  { id, now, states }: { id: string; now: number; states: readonly CopyState[] },
): Promise<void> {
  await trx
    .updateTable("integration_contact")
    .set({ state: "waiting", attempts: 0, first_attempt_at: null, next_attempt_at: now, updated_at: now })
    .where("integration_id", "=", id)
    .where("state", "in", states)
    .execute();
}

/** Pauses an integration, or lets it go on. `encrypted`: only while it has these settings. */
export async function setState(
  db: Db | Trx,
  { id, state, now, encrypted }: { id: string; state: IntegrationState; now: number; encrypted?: string },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("integration")
    .set({ state, paused_until: 0, updated_at: now })
    .where("id", "=", id)
    .where("state", "<>", state)
    .$if(encrypted !== undefined, (query) => query.where("settings", "=", encrypted ?? ""))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Deletes an integration with its log. What was copied stays at the other side. */
export async function deleteIntegration(deps: ChangeDeps, { ownerId, id, origin }: OwnChange): Promise<boolean> {
  const found = await findIntegration(deps, { ownerId, id });
  if (!found) return false;
  return transact(deps.db, async (trx) => {
    await trx.deleteFrom("integration_contact").where("integration_id", "=", id).execute();
    const { numDeletedRows } = await trx.deleteFrom("integration").where("id", "=", id).executeTakeFirst();
    if (numDeletedRows === 0n) return false;
    await record(trx, deps, { ...found, ownerId, origin, event: "integration-deleted" });
    return true;
  });
}

/** Deletes all that an account has of integrations, after the account. */
export async function deleteIntegrationsOfOwner(trx: Trx, ownerId: string): Promise<void> {
  await trx.deleteFrom("integration").where("owner_id", "=", ownerId).execute();
  await trx.deleteFrom("integration_contact").where("owner_id", "=", ownerId).execute();
}

function encrypt({ secretBox }: Pick<Services, "secretBox">, ownerId: string, settings: Settings): string {
  return secretBox(integrationEncryption.purpose).encrypt(JSON.stringify(settings), ownerId);
}

type Recorded = {
  ownerId: string;
  origin: RequestOrigin;
  event: SecurityEventKind;
  destination: Destination;
  settings: Settings | undefined;
};

async function record(
  trx: Trx,
  { auth }: Pick<Services, "auth">,
  { destination, settings, ...event }: Recorded,
): Promise<void> {
  const host = settings && destination.target(settings);
  await auth.recordSecurityEvent(trx, { ...event, detail: host ?? destination.name });
}
