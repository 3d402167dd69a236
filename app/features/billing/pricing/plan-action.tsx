import { messages } from "#app/features/billing/messages.ts";
import type { PlanOffer } from "#app/features/billing/offer.ts";
import { planNoteClass, SignUpLink } from "#app/features/billing/plan-card.tsx";
import type { PlanId } from "#app/features/billing/rules.ts";
import { useSignUpNote } from "#app/features/shell/sign-up-facts.ts";
import { Button, ButtonLink } from "#app/ui/components/button.tsx";

/** The reader of the plans: `plan` is their current plan, undefined for visitors. */
export type Customer = { plan: PlanId | undefined };

type PlanActionProps = { offer: PlanOffer; customer: Customer; canBuy: boolean };

/** The button or note under a plan: buy it, sign up, open the account, or why it can't be bought. */
export function PlanAction({ offer, customer, canBuy }: PlanActionProps) {
  const note = useSignUpNote();
  if (customer.plan === offer.id) return <CurrentPlanLink id={offer.id} />;
  if (offer.id === "free") return customer.plan ? <IncludedNote /> : <SignUpLink offer={offer} />;
  if (canBuy && (customer.plan || note === undefined))
    return <SubscribeForm label={customer.plan ? `Upgrade to ${offer.name}` : offer.cta.label} />;
  return customer.plan ? <NotOnSaleNote /> : <StartFreeLink offer={offer} />;
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

/** A POST, so that following a link never buys anything. Visitors are sent to sign in first. */
export function SubscribeForm({ label }: { label: string }) {
  return (
    <form method="post" action="/pricing/checkout" id={subscribeFormId}>
      <Button variant="main" type="submit" className="w-full">
        {label}
      </Button>
    </form>
  );
}

/** A sign-up link that takes the chosen period along. It buys nothing. */
export function ChoosePlanForm({ offer }: { offer: PlanOffer }) {
  if (useSignUpNote() !== undefined) return <SignUpLink offer={offer} />;
  return (
    <form method="get" action="/signup" id={subscribeFormId}>
      <input type="hidden" name="tier" value={offer.id} />
      <Button type="submit" className="w-full">
        {offer.cta.label}
      </Button>
    </form>
  );
}

/**
 * The `form` attribute of the billing period's radio buttons, which are outside the form. Their choice goes to one form, so a second
 * paid plan needs another way to submit the period, and the chosen plan.
 */
export const subscribeFormId = "plan-form";

function NotOnSaleNote() {
  return (
    <>
      <p className={planNoteClass}>{messages.notOnSale.title}</p>
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
      {isOpen && <p className={smallClass}>{messages.notOnSale.title}. You’ll start on Free.</p>}
    </>
  );
}

const smallClass = "text-sm text-balance text-center text-muted";
const linkClass = "mx-auto flex min-h-6 w-fit items-center text-text underline underline-offset-4";
