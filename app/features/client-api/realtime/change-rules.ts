import { z } from "zod";

import type { DomainEvent } from "#app/services/events/event.ts";

import { messages } from "./messages.ts";

const tables = ["profiles", "business_cards"] as const;
export type Table = (typeof tables)[number];

/** A change of a row. The id of a profile is that of its owner. */
export type Change = { type: "INSERT" | "UPDATE" | "DELETE"; table: Table; id: string; ownerId: string };

/** The changes that a channel requests. `select`: only these columns. */
export type Subscription = z.infer<typeof subscriptionSchema>;

const subscriptionSchema = z.object({
  event: z.string(),
  schema: z.string().optional(),
  table: z.string().optional(),
  filter: z.string().max(200).optional(),
  select: z.array(z.string().max(63)).max(30).optional(),
});

const joinSchema = z.object({
  config: z
    .object({
      presence: z.object({ enabled: z.boolean().optional() }).optional(),
      postgres_changes: z.array(subscriptionSchema).max(100).default([]),
    })
    .optional(),
  access_token: z.string().nullish(),
});

const eventTypes = ["*", "INSERT", "UPDATE", "DELETE"];
const filterPattern = /^(user_id|id)=eq\.(.+)$/;

/** Reads the payload of `phx_join`, or says why it is refused. */
export function readJoin(
  payload: unknown,
): { subscriptions: Subscription[]; token: string | null | undefined } | string {
  const join = joinSchema.safeParse(payload).data;
  if (!join) return messages.invalidJoin;
  const { presence, postgres_changes: subscriptions = [] } = join.config ?? {};
  if (presence?.enabled || subscriptions.length === 0) return messages.onlyChanges;
  for (const { event, schema = "public", table = "*", filter } of subscriptions) {
    if (!eventTypes.includes(event)) return messages.unknownEvent;
    if (!["public", "*"].includes(schema) || !["*", ...tables].includes(table)) return messages.unknownTable;
    if (filter !== undefined && !filterPattern.test(filter)) return messages.unknownFilter;
  }
  return { subscriptions, token: join.access_token };
}

/** Whether a subscription includes a change of its own account. */
export function includesChange({ event, table = "*", filter = "" }: Subscription, change: Change): boolean {
  const [, column, value] = filterPattern.exec(filter) ?? [];
  return (
    (event === "*" || event === change.type) &&
    (table === "*" || table === change.table) &&
    (column === undefined || value === (column === "id" ? change.id : change.ownerId))
  );
}

/** The change of a row that an event reports, if it is in one of the tables. */
export function toChange(event: DomainEvent): Change | undefined {
  const { ownerId } = event;
  const profile = { type: "UPDATE", table: "profiles", id: ownerId, ownerId } as const;
  switch (event.kind) {
    case "card.saved":
      return { type: event.isNew ? "INSERT" : "UPDATE", table: "business_cards", id: event.cardId, ownerId };
    case "card.deleted":
      return { type: "DELETE", table: "business_cards", id: event.cardId, ownerId };
    case "profile.saved":
    case "plan.changed":
      return profile;
    case "file.saved":
    case "file.removed":
      return ["avatar", "banner", "resume"].includes(event.slot) ? profile : undefined;
    default:
      return undefined;
  }
}

type Row = Record<string, unknown>;

/** The `data` of a `postgres_changes` message. A deleted row has only its id. */
export function writeChange({ type, table, id }: Change, { row = { id }, select, now }: WriteOptions) {
  const record = select ? Object.fromEntries(Object.entries(row).filter(([name]) => select.includes(name))) : row;
  return {
    schema: "public",
    table,
    commit_timestamp: new Date(now).toISOString(),
    type,
    columns: Object.entries(record).map(([name, value]) => ({ name, type: columnType(value) })),
    ...(type !== "DELETE" && { record }),
    ...(type !== "INSERT" && { old_record: { id } }),
    errors: null,
  };
}

type WriteOptions = { row: Row | undefined; select: readonly string[] | undefined; now: number };

function columnType(value: unknown): string {
  if (typeof value === "boolean") return "bool";
  if (typeof value === "number") return "float8";
  return typeof value === "object" && value !== null ? "jsonb" : "text";
}
