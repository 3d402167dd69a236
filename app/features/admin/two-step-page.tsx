import { redirect } from "react-router";

import { ResultCard } from "#app/features/shell/frame/result-card.tsx";
import { hasSecondFactor } from "#app/services/auth/factors/second-factor-state.server.ts";
import { requireUser, services } from "#app/services/http/context.ts";
import { ButtonLink } from "#app/ui/components/button.tsx";

import type { Route } from "./+types/two-step-page.ts";

export async function loader({ context }: Route.LoaderArgs) {
  if (await hasSecondFactor(services(context).db, requireUser(context).id)) throw redirect("/admin/users");
  return null;
}

export function meta() {
  return [{ title: "Turn on two-step verification | Meishi" }];
}

/** For an operator whose account is protected by a password only. */
export default function TwoStepPage() {
  return (
    <ResultCard
      label="Admin"
      title="Turn on two-step verification"
      text="The admin pages open only for accounts that use it. It takes a minute."
    >
      <ButtonLink variant="main" href="/account/two-step">
        Turn on
      </ButtonLink>
      <ButtonLink href="/account">Account</ButtonLink>
    </ResultCard>
  );
}
