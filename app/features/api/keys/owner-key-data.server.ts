import { addKey, listKeys, revokeKey } from "#app/services/api/key-data.server.ts";
import type { RequestOrigin } from "#app/services/auth/audit/security-events.server.ts";
import { findRecipient, lockUser } from "#app/services/auth/user-rows.server.ts";
import { formatDate } from "#app/services/base/format.ts";
import { transact } from "#app/services/database/database.server.ts";
import type { Services } from "#app/services/http/context.ts";
import { letterMail } from "#app/services/mail/letter.ts";
import type { Mail } from "#app/services/mail/mail.server.ts";

import type { CheckedKey } from "./key-form.ts";
import { describeScopes } from "./key-messages.ts";
import { keyStateOf, maxKeys } from "./key-rules.ts";

const dayMs = 86_400_000;

type CreateResult = { kind: "created"; key: string } | { kind: "too-many" } | { kind: "gone" };

/** Creates a key of an owner, who gets a mail. The key is returned once: only its hash is stored. */
export async function createOwnKey(
  { db, auth, clock, jobs, config }: Pick<Services, "db" | "auth" | "clock" | "jobs" | "config">,
  { ownerId, origin, name, scopes, days }: CheckedKey & { ownerId: string; origin: RequestOrigin },
): Promise<CreateResult> {
  const now = clock();
  const expiresAt = days === null ? null : now + days * dayMs;
  return transact(db, async (trx) => {
    if (!(await lockUser(trx, ownerId))) return { kind: "gone" };
    const working = (await listKeys(trx, ownerId)).filter((one) => keyStateOf(one, now) === "works");
    if (working.length >= maxKeys) return { kind: "too-many" };
    const { key } = await addKey(trx, { ownerId, name, scopes, expiresAt, now });
    await auth.recordSecurityEvent(trx, { ownerId, event: "api-key-created", detail: name, origin });
    const to = await findRecipient(trx, ownerId);
    const words = describeScopes(scopes);
    if (to) await jobs.enqueue(trx, "mail", keyCreatedMail({ to, name, words, expiresAt, baseUrl: config.baseUrl }));
    return { kind: "created", key };
  });
}

/** Revokes a key of an owner. False when the owner has no such key that isn't revoked. */
export async function revokeOwnKey(
  { db, auth, clock }: Pick<Services, "db" | "auth" | "clock">,
  { ownerId, id, origin }: { ownerId: string; id: string; origin: RequestOrigin },
): Promise<boolean> {
  return transact(db, async (trx) => {
    const name = await revokeKey(trx, { ownerId, id, now: clock() });
    if (name === undefined) return false;
    await auth.recordSecurityEvent(trx, { ownerId, event: "api-key-revoked", detail: name, origin });
    return true;
  });
}

type CreatedKey = { to: string; name: string; words: string; expiresAt: number | null; baseUrl: string };

/** Tells an owner, in case it wasn't them: a key works without signing in, and also after a new password. */
function keyCreatedMail({ to, name, words, expiresAt, baseUrl }: CreatedKey): Mail {
  return letterMail(
    {
      subject: "An API key was created",
      heading: "An API key was created",
      paragraphs: [
        `A program that has the key “${name}” can use your account without signing in.`,
        `What it may do: ${words}.`,
        expiresAt === null ? "It never expires." : `It expires on ${formatDate(expiresAt)}.`,
      ],
      action: { label: "See or revoke it", url: `${baseUrl}/account/api-keys` },
      notes: ["If you didn't create it, revoke it, change your password and sign out everywhere."],
    },
    { to, baseUrl },
  );
}
