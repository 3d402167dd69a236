import { messages } from "#app/features/billing/messages.ts";
import type { PlanOffer } from "#app/features/billing/offer.ts";
import { planNoteClass, SignUpLink } from "#app/features/billing/plan-card.tsx";
import { planFormId } from "#app/features/billing/billing-period-field.tsx";
import { outranks } from "#app/features/billing/rules.ts";
import type { PlanId } from "#app/features/billing/rules.ts";
import { useSignUpNote } from "#app/features/shell/site-facts.ts";
import { Button, ButtonLink } from "#app/ui/components/button.tsx";

/** The reader of the plans: `plan` is their current plan, undefined for visitors. */
export type Customer = { plan: PlanId | undefined };

type PlanActionProps = { offer: PlanOffer; customer: Customer; canBuy: boolean };

/** The button or note under a plan: buy it, sign up, open the account, or why it can't be bought. */
export function PlanAction({ offer, customer, canBuy }: PlanActionProps) {
  const note = useSignUpNote();
  if (customer.plan === offer.id) return <CurrentPlanLink id={offer.id} />;
  if (customer.plan && outranks(customer.plan, offer.id)) return <IncludedNote />;
  if (offer.id === "free") return <SignUpLink offer={offer} />;
  if (canBuy && (customer.plan || note === undefined))
    return <SubscribeButton plan={offer.id} label={customer.plan ? `Upgrade to ${offer.name}` : offer.cta.label} />;
  return customer.plan ? <NotOnSaleNote offer={offer} /> : <StartFreeLink offer={offer} />;
}

function CurrentPlanLink({ id }: { id: PlanId }) {
  const [href, label] = id === "free" ? ["/profile", "Open your profile"] : ["/account", "Open your account"];
  return (
    <ButtonLink href={href} className="w-full">
      {label}
    </ButtonLink>
  );
}

function IncludedNote() {
  return <p className={planNoteClass}>Included in your plan</p>;
}

/** A POST with the chosen period, so that following a link never buys anything. Visitors are sent to sign in first. */
export function SubscribeButton({ plan, label }: { plan: PlanId; label: string }) {
  return (
    <Button
      variant="main"
      type="submit"
      form={planFormId}
      formMethod="post"
      formAction="/pricing/checkout"
      name="plan"
      value={plan}
    >
      {label}
    </Button>
  );
}

/** A sign-up link that takes the chosen period along. It buys nothing. */
export function ChoosePlanButton({ offer }: { offer: PlanOffer }) {
  if (useSignUpNote() !== undefined) return <SignUpLink offer={offer} />;
  return (
    <Button type="submit" form={planFormId} formMethod="get" formAction="/signup" name="tier" value={offer.id}>
      {offer.cta.label}
    </Button>
  );
}

function NotOnSaleNote({ offer }: { offer: PlanOffer }) {
  return (
    <>
      <p className={planNoteClass}>{messages.notOnSale(offer.name)}</p>
      <p className={smallClass}>
        You’ll stay on Free until it is.
        <a href="/contact" className={linkClass}>
          Tell us you’re interested
        </a>
      </p>
    </>
  );
}

function StartFreeLink({ offer }: { offer: PlanOffer }) {
  const isOpen = useSignUpNote() === undefined;
  return (
    <>
      <SignUpLink offer={offer} />
      {isOpen && <p className={smallClass}>{messages.notOnSale(offer.name)}. You’ll start on Free.</p>}
    </>
  );
}

const smallClass = "text-sm text-balance text-center text-muted";
const linkClass = "mx-auto flex min-h-6 w-fit items-center text-text underline underline-offset-4";
