import { messages } from "#app/features/billing/messages.ts";
import type { PlanId } from "#app/features/billing/rules.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";

import { SignUpLink } from "./plan-card.tsx";
import type { Offer } from "./plan-offer.ts";

/** Who looks at the plans: `plan` is the one they are on, undefined for visitors. */
export type Customer = { plan: PlanId | undefined };

type PlanActionProps = { offer: Offer; customer: Customer; canBuy: boolean };

/** What there is to press under a plan: each of these leads on, and says what is not to be had. */
export function PlanAction({ offer, customer, canBuy }: PlanActionProps) {
  if (customer.plan === offer.id) return <OwnPlan id={offer.id} />;
  if (offer.id === "free") return customer.plan ? <Included /> : <SignUpLink offer={offer} />;
  if (canBuy) return <Subscribe label={customer.plan ? "Upgrade to Premium" : offer.cta.label} />;
  return customer.plan ? <AskForIt /> : <StartFree offer={offer} />;
}

function OwnPlan({ id }: { id: PlanId }) {
  const [href, label] = id === "free" ? ["/profile", "Open your profile"] : ["/account", "Open your account"];
  return (
    <ButtonLink href={href} className="w-full">
      {label}
    </ButtonLink>
  );
}

function Included() {
  return <p className={instead}>Included in your plan</p>;
}

/** Posts, so that nothing is bought by following a link; who is not signed in is asked to log in first. */
function Subscribe({ label }: { label: string }) {
  return (
    <form method="post" action="/pricing" id={subscribeForm}>
      <input type="hidden" name="intent" value="subscribe" />
      <Button variant="main" type="submit" className="w-full">
        {label}
      </Button>
    </form>
  );
}

/** The radio buttons of the period belong to it, wherever they stand. */
export const subscribeForm = "premium-form";

function AskForIt() {
  return (
    <>
      <p className={instead}>{messages.notOnSale.title}</p>
      <p className={small}>
        You stay on Free until it is.
        <a href="/contact" className={link}>
          Tell us that you want it
        </a>
      </p>
    </>
  );
}

function StartFree({ offer }: { offer: Offer }) {
  return (
    <>
      <SignUpLink offer={offer} />
      <p className={small}>{messages.notOnSale.title}: you start on Free.</p>
    </>
  );
}

const instead =
  "flex min-h-12 items-center justify-center rounded-control border border-dashed border-line-strong px-4 text-center font-semibold text-muted";
const small = "text-sm text-balance text-center text-muted";
const link = "mx-auto flex min-h-6 w-fit items-center text-text underline underline-offset-4";
