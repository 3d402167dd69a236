import { redirect } from "react-router";

import { BillingPeriodField } from "#app/features/billing/billing-period-field.tsx";
import { findPlan } from "#app/features/billing/data.server.ts";
import { messages } from "#app/features/billing/messages.ts";
import { PlanCard } from "#app/features/billing/plan-card.tsx";
import { SubscribeButton } from "#app/features/billing/pricing/plan-action.tsx";
import { isPaid, outranks, plans, readBillingPeriod, readChosenPlan } from "#app/features/billing/rules.ts";
import { requireUser, services } from "#app/services/http/context.ts";
import { redirectWithToast } from "#app/services/http/toast.server.ts";
import { ButtonLink } from "#app/ui/components/button.tsx";

import type { Route } from "./+types/subscribe-page.ts";

/** Where Premium isn't sold, a new user continues with the first steps. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const all = services(context);
  if (all.config.premium !== "sold") throw redirect("/start");
  const chosen = readChosenPlan(url.searchParams) ?? "free";
  const planId = isPaid(plans[chosen]) ? chosen : "premium";
  const { id, name } = await findPlan(all, requireUser(context).id);
  if (!outranks(planId, id)) throw redirectWithToast("/pricing", { ...messages.hasPlan(name), tone: "info" });
  return { planId, current: name, period: readBillingPeriod(url.searchParams) };
}

export function meta({ loaderData }: Route.MetaArgs) {
  return [{ title: `Subscribe to ${plans[loaderData.planId].name} | Meishi` }];
}

/**
 * Where a visitor who chose a paid plan continues after the first sign-in. Only the button opens the checkout: any site can lead a browser to this
 * page.
 */
export default function SubscribePage({ loaderData: { planId, current, period } }: Route.ComponentProps) {
  return (
    <div className="group mx-auto grid w-full max-w-[34rem] grid-cols-1 px-5 pt-10 sm:pt-14">
      <h1 className="heading text-center text-[clamp(1.75rem,7vw,2.5rem)] leading-[1.15]">
        Subscribe to {plans[planId].name}
      </h1>
      <p className="mx-auto mt-4 text-center text-balance text-muted">
        You’ll pay on Stripe’s page. Then you’ll come back here and set up your card.
      </p>
      <BillingPeriodField period={period} />
      <div className="mt-8 grid">
        <PlanCard
          plan={plans[planId]}
          premium="sold"
          action={
            <>
              <SubscribeButton plan={planId} label="Continue to payment" />
              <ButtonLink variant="plain" href="/start">
                Not now, start on {current}
              </ButtonLink>
            </>
          }
        />
      </div>
    </div>
  );
}
