import { markSite } from "#app/services/context.ts";
import { ButtonLink } from "#app/ui/button.tsx";

import type { Route } from "./+types/cancel-page.ts";
import { PlanOutcome } from "./plan-outcome.tsx";

export function loader({ context }: Route.LoaderArgs) {
  markSite(context);
  return null;
}

export function meta() {
  return [{ title: "Checkout canceled | Meishi" }, { name: "robots", content: "noindex" }];
}

/** Where the checkout sends those who turned back. */
export default function CancelPage() {
  return (
    <PlanOutcome title="Checkout canceled" text="Your card remains free, and nothing was charged.">
      <ButtonLink variant="main" href="/pricing">
        See the plans
      </ButtonLink>
      <ButtonLink href="/">Go home</ButtonLink>
    </PlanOutcome>
  );
}
