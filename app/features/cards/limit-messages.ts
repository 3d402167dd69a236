import { planList, planWithMoreCards } from "#app/features/billing/rules.ts";
import type { Plan } from "#app/features/billing/rules.ts";
import type { PremiumAccess } from "#app/services/config/setting-values.ts";

// Separate from list-messages.ts: with them, the card editor would load 5 kB more.
type CardPlan = Pick<Plan, "name" | "maxCards">;

/**
 * For an owner who has all cards that their plan includes. The specification's texts, which invite to upgrade, only where plans are sold
 * and one has more cards.
 */
export function cardLimitMessage(plan: CardPlan, isSold: boolean): { title: string; text: string } {
  const { name, maxCards } = plan;
  const cards = maxCards === 1 ? "one business card" : `${maxCards} business cards`;
  const larger = planWithMoreCards(plan);
  return isSold && larger
    ? {
        title: "Upgrade to create more cards",
        text: `${name} users can only have ${cards}. Please upgrade to ${larger.name} to create more.`,
      }
    : {
        title: `${name} includes ${cards}`,
        text: `You can edit the ${maxCards === 1 ? "one" : "ones"} you have.`,
      };
}

/** Below a list without room for another card. After a downgrade the plan doesn't include all `cards`. */
export function fullListNote(
  plan: CardPlan,
  cards: readonly { isBeyondPlan: boolean }[],
  premium: PremiumAccess,
): string {
  if (cards.some(({ isBeyondPlan }) => isBeyondPlan))
    return `${plan.name} includes your ${oldestCards(plan)}. The others are kept, and come back with ${largerName(plan)}.`;
  const { title, text } = cardLimitMessage(plan, premium === "sold");
  return premium === "sold" ? text : `${title}.`;
}

/** For a card that the plan doesn't show. */
export function beyondPlanText(plan: CardPlan): string {
  return `The ${plan.name} plan shows only your ${oldestCards(plan)}. This one stays paused until you have ${largerName(plan)}.`;
}

function oldestCards({ maxCards }: CardPlan): string {
  return maxCards === 1 ? "oldest card" : `${maxCards} oldest cards`;
}

/** The plan with the most cards: a lower one may have no room for this card. */
function largerName({ maxCards }: CardPlan): string {
  const [largest] = planList.toSorted((one, other) => other.maxCards - one.maxCards);
  return largest && largest.maxCards > maxCards ? largest.name : "a larger plan";
}
