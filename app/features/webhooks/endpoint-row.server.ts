import type { Selectable } from "kysely";
import { z } from "zod";

import type { EncryptedColumns, SecretBox } from "#app/services/base/secret-box.server.ts";
import type { WebhookEndpointTable } from "#app/services/database/webhook-schema.ts";
import type { Services } from "#app/services/http/context.ts";

import { logMs, maxUnanswered, webhookKinds } from "./rules.ts";
import type { WebhookKind } from "./rules.ts";

export type EndpointRow = Selectable<WebhookEndpointTable>;

/** Why an endpoint is off: its owner, its answer "410 Gone", or five days without a success. */
export type OffReason = "owner" | "gone" | "failing";

/** Where an owner's events are sent. Times in epoch milliseconds. */
export type Endpoint = {
  id: string;
  ownerId: string;
  /** Undefined when it can't be read, because the installation's secret was replaced. */
  url: string | undefined;
  /** Whether the signing secret can be read. */
  hasSecret: boolean;
  kinds: readonly WebhookKind[];
  /** Undefined while it is on. */
  offReason: OffReason | undefined;
  failingSince: number | null;
  /** Attempts in a row that got no answer, and before when none follows; undefined unless one message is tried at a time. */
  paused: { unanswered: number; until: number } | undefined;
  /** Messages that weren't stored because too many waited; undefined when none was in the time of the log. */
  leftOut: { count: number; lastAt: number } | undefined;
  /** Until when the secret before the last rotation also signs; undefined when it doesn't anymore. */
  oldSecretUntil: number | undefined;
};

export const webhookEncryption: EncryptedColumns = {
  purpose: "webhooks",
  table: "webhook_endpoint",
  key: ["id"],
  columns: ["url", "secret", "old_secret"],
};

/** Encrypts addresses and secrets. */
export function webhookBox({ secretBox }: Pick<Services, "secretBox">): SecretBox {
  return secretBox(webhookEncryption.purpose);
}

export function toEndpoint(row: EndpointRow, { box, now }: { box: SecretBox; now: number }): Endpoint {
  return {
    id: row.id,
    ownerId: row.owner_id,
    url: box.read(row.url, row.owner_id),
    hasSecret: box.read(row.secret, row.owner_id) !== undefined,
    kinds: readKinds(row.kinds),
    offReason: row.is_on === 1 ? undefined : storedReason.parse(row.off_reason),
    failingSince: row.failing_since,
    paused: row.unanswered < maxUnanswered ? undefined : { unanswered: row.unanswered, until: row.paused_until },
    leftOut: row.left_out_at > now - logMs ? { count: row.left_out, lastAt: row.left_out_at } : undefined,
    oldSecretUntil: row.old_secret && row.old_secret_until > now ? row.old_secret_until : undefined,
  };
}

const storedReason = z.enum(["owner", "gone", "failing"]).catch("owner");

/**
 * What messages to the endpoint are signed with: after a rotation also the secret before it, for a day. Undefined when the secret can't be
 * read.
 */
export function signingSecrets(row: EndpointRow, { box, now }: { box: SecretBox; now: number }): string[] | undefined {
  const secret = box.read(row.secret, row.owner_id);
  const old = row.old_secret && row.old_secret_until > now ? box.read(row.old_secret, row.owner_id) : undefined;
  return secret === undefined ? undefined : [secret, ...(old === undefined ? [] : [old])];
}

/** The host of an endpoint, for what must not have the whole address: paths are often secrets. */
export function hostOf(row: EndpointRow, box: SecretBox): string | undefined {
  const url = box.read(row.url, row.owner_id);
  return url === undefined ? undefined : new URL(url).host;
}

/** The kinds in the column, without those of other releases. */
export function readKinds(json: string): WebhookKind[] {
  const kinds = storedKinds.parse(JSON.parse(json));
  return webhookKinds.filter((kind) => kinds.includes(kind));
}

const storedKinds = z.array(z.string());
