import { useEffect } from "react";
import { useRevalidator } from "react-router";

import { checkSubscription } from "#app/features/billing/data.server.ts";
import { paidPlanNames, planSummary } from "#app/features/billing/offer.ts";
import { formatThemes, plans } from "#app/features/billing/rules.ts";
import type { Plan } from "#app/features/billing/rules.ts";
import { listCards } from "#app/features/cards/data.server.ts";
import { ResultCard } from "#app/features/shell/frame/result-card.tsx";
import { requireUser, services } from "#app/services/http/context.ts";
import { ButtonLink } from "#app/ui/components/button.tsx";
import { Chevron } from "#app/ui/components/icon.tsx";

import { requirePlans } from "./checkout-request.server.ts";
import type { Route } from "./+types/success-page.ts";
import { confirmPayment } from "./payment-request.server.ts";

export async function loader({ context, url }: Route.LoaderArgs) {
  const all = services(context);
  requirePlans(context, url);
  const ownerId = requireUser(context).id;
  const sessionId = url.searchParams.get("session_id") ?? "";
  const isPending = await confirmPayment(all, { ownerId, sessionId });
  const { plan } = await checkSubscription(all, ownerId);
  const isSubscribed = plan.id !== "free";
  return {
    isSubscribed,
    planId: plan.id,
    /** A buyer who signed up to subscribe hasn't made a card yet. */
    hasCards: (await listCards(all.db, ownerId)).length > 0,
    isPremiumSold: all.config.premium === "sold",
    /** The page to open again while the payment is on its way. */
    retryPath: !isSubscribed && isPending ? `/success?${new URLSearchParams({ session_id: sessionId })}` : undefined,
  };
}

export function meta({ loaderData }: Route.MetaArgs) {
  return [{ title: `${titleOf(loaderData)} | Meishi` }];
}

type Outcome = { isSubscribed: boolean; retryPath: string | undefined };

function titleOf({ isSubscribed, retryPath }: Outcome): string {
  if (isSubscribed) return "You're Pro now!";
  return retryPath ? "Your payment is on its way" : "Your plan is still Free";
}

/** Where the checkout sends a user who paid. Anyone can open the address, so the page shows the plan that is in force. */
export default function SuccessPage({ loaderData }: Route.ComponentProps) {
  const { isSubscribed, planId, hasCards, retryPath } = loaderData;
  useSubscriptionCheck(retryPath !== undefined);
  return (
    <div aria-live="polite">
      {isSubscribed ? <ProCard plan={plans[planId]} hasCards={hasCards} /> : <PendingCard {...loaderData} />}
    </div>
  );
}

/** While the payment is on its way: loads the page again as soon as it has arrived. Without script, Check again does that. */
function useSubscriptionCheck(isPending: boolean) {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    if (!isPending) return undefined;
    let checks = 0;
    // A timer of the browser.
    const timer = setInterval(async () => {
      if (++checks === maxChecks) clearInterval(timer);
      if (await isSubscribedNow()) void revalidate();
    }, checkMs);
    return () => clearInterval(timer);
  }, [isPending, revalidate]);
}

const checkMs = 4_000;
/** Asks for a minute: each check asks Stripe, too. */
const maxChecks = 15;

/** False, too, when the server can't be reached. */
async function isSubscribedNow(): Promise<boolean> {
  try {
    const response = await fetch("/functions/v1/check-subscription", { method: "POST" });
    return response.ok && (await response.json()).subscribed === true;
  } catch {
    // Offline for a moment: the next check may work.
    return false;
  }
}

function PendingCard({ isPremiumSold, ...outcome }: Outcome & { isPremiumSold: boolean }) {
  const { retryPath } = outcome;
  return (
    <ResultCard
      label={paidPlanNames}
      title={titleOf(outcome)}
      text={retryPath ? pendingText : freePlanText(isPremiumSold)}
    >
      <ButtonLink variant="main" href={retryPath ?? "/success"}>
        Check again
      </ButtonLink>
      <ButtonLink href="/pricing">See plans</ButtonLink>
      <ButtonLink variant="plain" href="/contact">
        Contact us
      </ButtonLink>
    </ResultCard>
  );
}

function ProCard({ plan, hasCards }: { plan: Plan; hasCards: boolean }) {
  return (
    <ResultCard
      label={plan.name}
      title="You're Pro now!"
      text={`${plan.name} includes ${planSummary(plan)}.`}
      more={<NewFeatures plan={plan} />}
    >
      {!hasCards && (
        <ButtonLink variant="main" href="/start">
          Set up your card
        </ButtonLink>
      )}
      <ButtonLink variant={hasCards ? "main" : "quiet"} href="/home">
        Go to dashboard
      </ButtonLink>
      <ButtonLink href="/pricing">Manage Plan</ButtonLink>
    </ResultCard>
  );
}

/** What the owner can do now that they couldn't before. */
function NewFeatures({ plan }: { plan: Plan }) {
  return (
    <section aria-labelledby="new-features">
      <h2 id="new-features" className="font-semibold">
        New for you
      </h2>
      <ul className="mt-3 divide-y divide-line border-y border-line">
        {newFeatures(plan).map(({ href, title, text }) => (
          <li key={href} className="relative flex items-center gap-4 py-3.5">
            <div className="grow">
              <a href={href} className="font-medium after:absolute after:inset-0">
                {title}
              </a>
              <p className="text-sm text-muted">{text}</p>
            </div>
            <Chevron className="-rotate-90 rtl:rotate-90" />
          </li>
        ))}
      </ul>
    </section>
  );
}

const newFeatures = ({ themes, canMoveLinks }: Plan) => [
  { href: "/cards/edit", title: "Add another card", text: "One for each role, each with its own link and QR code." },
  {
    href: "/profile#themes",
    title: "Choose a theme",
    text: `${formatThemes({ themes })}, on your profile and your cards.`,
  },
  ...(canMoveLinks
    ? [
        {
          href: "/profile#links",
          title: "Move links between tabs",
          text: "Professional or Personal: you decide for each link.",
        },
      ]
    : []),
];

const pendingText =
  "Some payments take a minute to confirm. Your plan starts as soon as yours is confirmed. You don’t have to stay on this page.";

function freePlanText(isPremiumSold: boolean): string {
  return isPremiumSold
    ? "We haven’t received a payment for your account yet. It may take a minute. Check again, or contact us if nothing changes."
    : "We haven’t received a payment for your account, and Premium isn’t available yet. If you were charged, contact us.";
}
