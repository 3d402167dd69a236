import { sql } from "kysely";

import { letterMail } from "#app/services/mail/letter.ts";
import { eraseInTransaction } from "#app/features/leads/data.server.ts";
import { expiryNoticeMs, maxOfflineMs } from "#app/features/leads/rules.ts";
import { findAddress } from "#app/services/auth/user-rows.server.ts";
import { formatDate } from "#app/services/base/format.ts";
import { transact } from "#app/services/database/database.server.ts";
import { deleteInParts } from "#app/services/jobs/long-work.server.ts";
import type { Mail } from "#app/services/mail/mail.server.ts";
import type { Services } from "#app/services/http/context.ts";

type Deps = Pick<Services, "db" | "events" | "jobs" | "sign" | "clock" | "config">;

/** How long the hash of an erased lead is needed: a device could send the lead again for so long. */
export const erasedHashMs = maxOfflineMs + 86_400_000;

/** Announces the end of leads to their owners, and deletes the leads that have reached it. */
export async function expireLeads(services: Deps): Promise<number> {
  await announceExpiry(services);
  return deleteExpired(services, "leads");
}

export function deleteErasedHashes({ db, clock }: Pick<Deps, "db" | "clock">): Promise<number> {
  return deleteInParts(db, { from: "erased_lead", key: ["hash"], where: sql`erased_at < ${clock() - erasedHashMs}` });
}

/**
 * Deletes what has reached its end. A lead waits until its owner has known of it for two weeks, but never longer than that: after an
 * outage, or a retention that became shorter.
 */
export async function deleteExpired(services: Deps, kind: "leads" | "proof" | "quarantine"): Promise<number> {
  const { db, clock } = services;
  const now = clock();
  for (let deleted = 0; ;) {
    const rows = await db
      .selectFrom("lead")
      .select(["id", "owner_id"])
      .where("expires_at", "<=", now)
      .where("quarantined_at", kind === "quarantine" ? "is not" : "is", null)
      .$if(kind !== "quarantine", (query) => query.where("withdrawn_at", kind === "proof" ? "is not" : "is", null))
      .$if(kind === "leads", (query) =>
        query.where((row) =>
          row.or([row("expiry_noticed_at", "<=", now - expiryNoticeMs), row("expires_at", "<=", now - expiryNoticeMs)]),
        ),
      )
      .limit(batchSize)
      .execute();
    const owners = Map.groupBy(rows, ({ owner_id }) => owner_id);
    for (const [ownerId, leads] of owners)
      await transact(db, (trx) => eraseInTransaction(trx, services, { ownerId, ids: leads.map(({ id }) => id) }));
    deleted += rows.length;
    if (rows.length < batchSize) return deleted;
  }
}

const batchSize = 100;

/** One mail covers all leads that end in the week after, so that no owner gets more than one a week. */
const noticeWindowMs = expiryNoticeMs + 7 * 86_400_000;

/** Tells owners which leads will be deleted. Of two processes, one marks a lead, in the transaction that adds the mail. */
async function announceExpiry({ db, jobs, clock, config }: Deps): Promise<void> {
  const now = clock();
  for (;;) {
    // By the index `lead_unannounced`: a `distinct` would read all leads in the order of their owners.
    const due = await db
      .selectFrom("lead")
      .select("owner_id")
      .where("expires_at", "<=", now + expiryNoticeMs)
      .where("expiry_noticed_at", "is", null)
      .where("quarantined_at", "is", null)
      .where("withdrawn_at", "is", null)
      .orderBy("expires_at")
      .limit(1)
      .execute();
    const ownerId = due[0]?.owner_id;
    if (ownerId === undefined) return;
    await transact(db, async (trx) => {
      const leads = await trx
        .updateTable("lead")
        .set({ expiry_noticed_at: now })
        .where("owner_id", "=", ownerId)
        .where("expires_at", "<=", now + noticeWindowMs)
        .where("expiry_noticed_at", "is", null)
        .where("quarantined_at", "is", null)
        .where("withdrawn_at", "is", null)
        .returning("expires_at")
        .execute();
      const address = await findAddress(trx, ownerId);
      if (leads.length === 0 || !address) return;
      const first = Math.max(now + expiryNoticeMs, Math.min(...leads.map(({ expires_at }) => expires_at)));
      await jobs.enqueue(trx, "mail", expiryMail({ to: address.email, n: leads.length, first, ...config }));
    });
  }
}

type ExpiryMail = { to: string; n: number; first: number; baseUrl: string };

function expiryMail({ to, n, first, baseUrl }: ExpiryMail): Mail {
  const count = n === 1 ? "One lead" : `${n} leads`;
  return letterMail(
    {
      subject: `${count} will be deleted starting ${formatDate(first)}`,
      heading: `${count} will be deleted starting ${formatDate(first)}`,
      paragraphs: [
        "That is when the storage time ends that your visitors were told about when they shared their details.",
        "You may keep what you need for another reason, such as a contract. Everything else has to be deleted, copies outside your account included.",
      ],
      action: { label: "Download your data", url: `${baseUrl}/account/export` },
      notes: ["You can change how long leads are stored on the page of a card’s form."],
    },
    { to, baseUrl },
  );
}
