import { replace } from "react-router";

import { requestFacts, services, viewer } from "#app/services/context.ts";

import type { Route } from "./+types/auth-page.ts";
import { answerForm } from "./auth-answers.server.ts";
import type { AuthTab } from "./auth-answers.server.ts";
import { AuthCard, AuthTabs } from "./auth-card.tsx";
import { CheckEmail, LateLink, LogInForm, SignUpForm } from "./auth-forms.tsx";
import { readFields } from "./form.ts";
import { hasMailBox } from "./mail-box.server.ts";
import { readReturnTo, readTier } from "./return-to.ts";
import type { Tier } from "./return-to.ts";

export function loader({ context, url }: Route.LoaderArgs) {
  const { auth, mail, config } = services(context);
  const returnTo = readReturnTo(url.searchParams);
  if (viewer(context)) throw replace(returnTo);
  const tab: AuthTab = url.searchParams.get("tab") === "signup" ? "signup" : "login";
  const link = url.searchParams.get("link");
  return {
    tab,
    returnTo,
    tier: readTier(url.searchParams),
    canMail: mail.isConfigured,
    hasMailBox: hasMailBox(config),
    // A confirmation link that came too late: it still says whose it was, so another can be sent.
    link: link === null ? undefined : { pending: link, email: auth.readPending(link) },
  };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const fields = await readFields(request);
  const { address, id } = context.get(requestFacts);
  const returnTo = readReturnTo(url.searchParams);
  return answerForm({ services: services(context), id, fields, address, headers: request.headers, returnTo });
}

export default function AuthPage({ loaderData, actionData }: Route.ComponentProps) {
  const { returnTo, tier, canMail, link } = loaderData;
  if (actionData?.kind === "check-email") return <CheckEmail {...actionData} hasMailBox={loaderData.hasMailBox} />;
  const tab = actionData?.tab ?? loaderData.tab;
  const refusal = actionData ?? { email: "", errors: {} };
  const isSignUp = tab === "signup";
  return (
    <AuthCard
      title={isSignUp ? "Sign Up" : "Login"}
      hasErrors={actionData !== undefined}
      heading={isSignUp ? "Create your account" : "Welcome back"}
      lead={isSignUp ? signUpLead(tier) : undefined}
    >
      <AuthTabs tab={tab} returnTo={returnTo} tier={tier} />
      {link && !actionData && <LateLink {...link} />}
      {isSignUp ? <SignUpForm {...refusal} canMail={canMail} /> : <LogInForm {...refusal} />}
    </AuthCard>
  );
}

function signUpLead(tier: Tier | undefined) {
  return tier === "premium"
    ? "You chose Premium. Your account starts on Free; upgrade under Pricing."
    : "A profile and a card of your own, free.";
}
