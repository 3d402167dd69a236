import { readRecentMetrics } from "#app/features/analytics/recent-data.server.ts";
import { findPlan } from "#app/features/billing/data.server.ts";
import { listCards } from "#app/features/cards/data.server.ts";
import { fullListNote } from "#app/features/cards/limit-messages.ts";
import { loadOwnProfile } from "#app/features/profile/own-profile.server.ts";
import { services } from "#app/services/http/context.ts";
import { Page } from "#app/ui/components/page.tsx";

import type { Route } from "./+types/cards-page.ts";
import { CardList } from "./card-list.tsx";
import { toCardList } from "./card-rows.server.ts";

export async function loader({ context }: Route.LoaderArgs) {
  const { db, clock, config } = services(context);
  const profile = await loadOwnProfile(context);
  const { ownerId } = profile;
  const plan = await findPlan(services(context), ownerId);
  const metrics = plan.hasAnalytics ? await readRecentMetrics(db, { ownerId, now: clock() }) : undefined;
  const list = toCardList(plan, await listCards(db, ownerId), profile);
  const fullNote = fullListNote(plan, list.cards, config.premium);
  return { ...list, fullNote, metrics: metrics?.cards, formId: crypto.randomUUID() };
}

export const meta = () => [{ title: "Cards | Meishi" }];

/** All of the owner's cards with all that can be done with them. The profile editor has the same list. */
export default function CardsPage({ loaderData }: Route.ComponentProps) {
  return (
    <Page title="Cards" width="list">
      <CardList {...loaderData} back="/cards" className="rounded-card border bg-raised px-5" />
    </Page>
  );
}
