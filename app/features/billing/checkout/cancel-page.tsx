import { requirePlans } from "#app/features/billing/plan-request.server.ts";
import { ResultCard } from "#app/features/shell/frame/result-card.tsx";
import { markSitePage, viewer } from "#app/services/http/context.ts";
import { ButtonLink } from "#app/ui/components/button.tsx";

import type { Route } from "./+types/cancel-page.ts";

export function loader({ context, url }: Route.LoaderArgs) {
  requirePlans(context, url);
  const isSignedIn = viewer(context) !== undefined;
  if (!isSignedIn) markSitePage(context);
  return { isSignedIn };
}

export function meta() {
  return [{ title: "Checkout canceled | Meishi" }, { name: "robots", content: "noindex" }];
}

/** Where the checkout sends a user who cancels. */
export default function CancelPage({ loaderData: { isSignedIn } }: Route.ComponentProps) {
  return (
    <ResultCard label="Premium" title="Checkout canceled" text="Your card remains free, and you weren’t charged.">
      <ButtonLink variant="main" href="/pricing">
        See plans
      </ButtonLink>
      {isSignedIn && <ButtonLink href="/start">Continue on Free</ButtonLink>}
      <ButtonLink href="/">Go to the home page</ButtonLink>
    </ResultCard>
  );
}
