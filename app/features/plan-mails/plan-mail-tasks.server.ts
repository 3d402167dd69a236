import { z } from "zod";

import { listCards } from "#app/features/cards/data.server.ts";
import { includesAccent } from "#app/features/cards/card-design.ts";
import { byAge, idsBeyondPlan } from "#app/features/cards/rules.ts";
import { isPlanId, plans } from "#app/features/billing/rules.ts";
import { findProfile } from "#app/features/profile/data.server.ts";
import { themeChoices } from "#app/features/profile/themes.ts";
import { findPreferences } from "#app/services/preferences/account-preferences.server.ts";
import { findRecipient } from "#app/services/auth/user-rows.server.ts";
import type { Db } from "#app/services/database/database.server.ts";
import type { Services } from "#app/services/http/context.ts";

import { planMailJob, readPlanFacts } from "./data.server.ts";
import { planMail } from "./plan-mails.ts";
import type { FreeOutcome, PlanMail } from "./plan-mails.ts";
import { isStillTrue } from "./rules.ts";
import type { DueMail, PlanFacts } from "./rules.ts";

export const planMailJobs = { [planMailJob]: sendPlanMail };

const jobPayload = z.object({
  ownerId: z.string(),
  kind: z.enum(["welcome", "failed", "ending", "ended"]),
  at: z.number(),
  /** Releases until 0.1.0 had no other. */
  plan: z.string().refine(isPlanId).default("premium"),
});

/** Sends a mail that was due, unless the plan has changed since. Reads everything now: after a failure it runs again, up to a day later. */
async function sendPlanMail({ db, mail, clock, config }: Services, payload: unknown): Promise<void> {
  const { ownerId, ...due } = jobPayload.parse(payload);
  const facts = await readPlanFacts(db, ownerId);
  if (config.premium === "everyone" || !isStillTrue(due, facts, clock())) return;
  const to = await findRecipient(db, ownerId);
  if (to === undefined) return;
  const choice = await findPreferences(db, ownerId);
  const content = await readContent(db, { ownerId, due, facts });
  await mail.send(
    planMail(content, {
      to,
      baseUrl: config.baseUrl,
      choice,
      isSold: config.premium === "sold",
      plan: plans[due.plan],
    }),
  );
}

type ContentSource = { ownerId: string; due: DueMail; facts: PlanFacts };

async function readContent(db: Db, { ownerId, due, facts }: ContentSource): Promise<PlanMail> {
  const { subscription, payments } = facts;
  const endsAt = subscription?.ends_at ?? due.at;
  switch (due.kind) {
    case "welcome": {
      const started = payments.find(({ started_at }) => started_at === due.at);
      const next = {
        at: started?.cancel_at ?? started?.current_period_end ?? due.at,
        isEnd: started?.cancel_at != null,
      };
      const period = started?.period === "yearly" ? "year" : "month";
      return { kind: due.kind, period, next, cards: (await listCards(db, ownerId)).length };
    }
    case "failed":
      return { kind: due.kind, endsAt, outcome: await readOutcome(db, ownerId) };
    case "ending": {
      const isGrant = !payments.some(({ cancel_at }) => cancel_at === due.at);
      return { kind: due.kind, endsAt, isGrant, outcome: await readOutcome(db, ownerId) };
    }
    case "ended": {
      const wasUnpaid = payments.some(({ status }) => status === "past_due" || status === "unpaid");
      const endedAt = due.at || Math.max(0, ...payments.map(({ ended_at }) => ended_at ?? 0)) || undefined;
      return { kind: due.kind, endedAt, wasUnpaid, outcome: await readOutcome(db, ownerId) };
    }
  }
}

/** What Free keeps and pauses of what the owner has now. */
async function readOutcome(db: Db, ownerId: string): Promise<FreeOutcome> {
  const cards = await listCards(db, ownerId);
  const [oldest] = byAge(cards);
  const beyond = idsBeyondPlan(plans.free, cards);
  const profile = await findProfile(db, ownerId);
  return {
    kept: oldest && { name: oldest.cardName, isShown: oldest.isPublic && !oldest.isPaused },
    paused: cards.filter(({ id }) => beyond.has(id)).map(({ cardName }) => cardName),
    theme: themeChoices.find(({ id, isPremium }) => isPremium && id === profile?.theme)?.name,
    hasPremiumColor: oldest !== undefined && !includesAccent(plans.free, oldest.design.accent),
  };
}
