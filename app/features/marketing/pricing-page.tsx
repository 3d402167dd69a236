import { data } from "react-router";

import { findPlan } from "#app/features/billing/data.server.ts";
import { messages } from "#app/features/billing/messages.ts";
import { inCards, plans, readPeriod } from "#app/features/billing/rules.ts";
import type { Plan } from "#app/features/billing/rules.ts";
import { built } from "#app/features/shell/built.ts";
import { siteHead } from "#app/features/shell/site-head.ts";
import { pageWidth } from "#app/features/shell/site-links.ts";
import { markSite, services, viewer } from "#app/services/context.ts";
import { readForm } from "#app/services/form-body.ts";
import { redirectWithToast } from "#app/services/toast.server.ts";

import type { Route } from "./+types/pricing-page.ts";
import { Comparison } from "./comparison.tsx";
import { PlanAction } from "./plan-action.tsx";
import type { Customer } from "./plan-action.tsx";
import { PlanCard } from "./plan-card.tsx";
import { offerOf } from "./plan-offer.ts";
import { PeriodChoice } from "./plan-period.tsx";
import { PlanPromises } from "./plan-promises.tsx";
import { PlanTable } from "./plan-table.tsx";

export async function loader({ context, url }: Route.LoaderArgs) {
  const { db, clock } = services(context);
  const person = viewer(context);
  if (!person) markSite(context, { asks: ["period"] });
  return {
    period: readPeriod(url.searchParams),
    plan: person && (await findPlan(db, person.id, clock())).id,
  };
}

/** The button of a plan that costs something. */
export async function action({ request, context }: Route.ActionArgs) {
  const { db, clock } = services(context);
  if ((await readForm(request)).get("intent") !== "subscribe") throw data(null, { status: 400 });
  const person = viewer(context);
  if (!person)
    return redirectWithToast("/auth?redirect=/pricing", { title: messages.logInToSubscribe, tone: "warning" });
  const { id } = await findPlan(db, person.id, clock());
  if (id === "premium") return redirectWithToast("/pricing", { ...messages.hasPremium, tone: "info" });
  const title = messages.checkoutFailed(messages.cannotBuy.reason);
  return redirectWithToast("/pricing", { title, text: messages.cannotBuy.text, tone: "error" });
}

export function meta(asked: Route.MetaArgs) {
  const [free, premium] = [inCards(plans.free.maxCards), inCards(plans.premium.maxCards).toLowerCase()];
  return siteHead(asked, {
    title: "Pricing | Meishi",
    description: `${free} free. Premium: ${premium}, all themes and no Meishi branding.`,
  });
}

export default function PricingPage({ loaderData: { plan, period } }: Route.ComponentProps) {
  const customer: Customer = { plan };
  return (
    <div className={`${pageWidth} pt-10 sm:pt-14`}>
      <div className="group">
        <h1 className="heading text-center text-[clamp(2.125rem,7.4vw,3.5rem)] leading-[1.15] tracking-[-0.02em]">
          {headline(customer)}
        </h1>
        <p className="mx-auto mt-4 max-w-[34rem] text-center text-balance text-muted">{lead(customer)}</p>
        <PeriodChoice period={period} />
        <div className="mx-auto mt-8 grid max-w-[960px] items-start gap-5 md:grid-cols-2 md:items-stretch">
          <OnePlan plan={plans.free} customer={customer} />
          <OnePlan plan={plans.premium} customer={customer} />
        </div>
      </div>
      <PlanPromises />
      <section aria-labelledby="compare-plans" className={section}>
        <h2 id="compare-plans" className={heading}>
          Compare the plans
        </h2>
        <PlanTable />
      </section>
      <section aria-labelledby="compare-kinds" className={section}>
        <h2 id="compare-kinds" className={heading}>
          Beside paper, and beside a hosted service
        </h2>
        <Comparison />
      </section>
    </div>
  );
}

function OnePlan({ plan, customer }: { plan: Plan; customer: Customer }) {
  return (
    <PlanCard
      plan={plan}
      badge={customer.plan === plan.id ? "Your plan" : undefined}
      action={<PlanAction offer={offerOf(plan)} customer={customer} canBuy={built.payments} />}
    />
  );
}

function headline({ plan }: Customer) {
  if (!plan) {
    return (
      <>
        Start <span className="inline-block border-b-[0.09em] border-seal leading-[1.02]">free,</span>{" "}
        <br className="max-sm:hidden" />
        pay when you need more
      </>
    );
  }
  return plan === "free" ? "You are on Free" : "You are on Premium";
}

function lead({ plan }: Customer): string {
  if (!plan)
    return "A card and a profile cost nothing, for as long as you like. Premium adds room and takes our name off.";
  return plan === "free"
    ? "It costs nothing, for as long as you like. This is what Premium adds."
    : "Everything that Meishi does is yours. This is what you have.";
}

const section = "mx-auto max-w-[960px] pt-16 sm:pt-24";
const heading = "heading mb-6 text-xl sm:mb-8";
