import { replace } from "react-router";

import { built } from "#app/features/shell/built.ts";
import { siteHead } from "#app/features/shell/site-head.ts";
import { requestFacts, services, viewer } from "#app/services/context.ts";

import type { Route } from "./+types/auth-page.ts";
import { answerForm } from "./auth-answers.server.ts";
import type { AuthTab } from "./auth-answers.server.ts";
import { AuthCard, AuthTabs, NewHere } from "./auth-card.tsx";
import { CheckEmail, LateLink, LogInForm, SignUpForm } from "./auth-forms.tsx";
import { readFields } from "./form.ts";
import { hasMailBox } from "./mail-box.server.ts";
import { authPath, readReturnTo, readTier } from "./return-to.ts";
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

/** Unlike the pages behind it, this one may be found. */
export function headers({ parentHeaders }: Route.HeadersArgs) {
  const own = new Headers(parentHeaders);
  own.delete("x-robots-tag");
  return own;
}

export function meta(asked: Route.MetaArgs) {
  const description = "Sign in to your business card and page of links, or create an account: one card is free.";
  // Its title says which tab is open, and what was refused: see AuthCard.
  return siteHead(asked, { title: "Login | Meishi", description }).filter((one) => !("title" in one));
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
      {!isSignUp && <NewHere href={authPath(returnTo, { tab: "signup", ...(tier && { tier }) })} />}
    </AuthCard>
  );
}

function signUpLead(tier: Tier | undefined) {
  if (tier !== "premium") return "A profile and a card of your own, free.";
  return built.payments
    ? "You chose Premium. Your account starts on Free; upgrade under Pricing."
    : "You chose Premium. It is not on sale yet: your account starts on Free, and there is nothing to pay.";
}
