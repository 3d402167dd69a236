import { replace } from "react-router";

import type { DocumentHandle } from "#app/document.ts";
import { choiceOf, subscribePath } from "#app/features/billing/offer.ts";
import { isPaid, plans, readChosenPlan } from "#app/features/billing/rules.ts";
import type { PlanId } from "#app/features/billing/rules.ts";
import { signUpNotes, usePremiumAccess } from "#app/features/shell/site-facts.ts";
import { themeScript } from "#app/features/shell/theme/theme-script.ts";
import { pageHead } from "#app/features/shell/page-head.ts";
import { draftCardText, readDraftCard } from "#app/features/start/draft-card.server.ts";
import { requestContext, services, viewer } from "#app/services/http/context.ts";

import type { Route } from "./+types/auth-page.ts";
import { plainScript } from "./form-script.ts";
import { respondToAuthForm } from "./auth-response.server.ts";
import type { AuthTab } from "./auth-response.server.ts";
import { findAcceptedInvitation, readSignUpCookie } from "./sign-up/sign-up-data.server.ts";
import { AuthCard, AuthTabs, CreateAccountLink } from "./auth-card.tsx";
import { CheckEmail, ClosedSignUp, ExpiredLinkNotice, LogInForm, SignUpForm } from "./auth-forms.tsx";
import { messages } from "#app/features/account/messages.ts";
import { readFields } from "#app/features/account/schema.ts";
import { OrDivider, ProviderButtons } from "#app/features/account/settings/social/provider-button.tsx";
import { signInFailure } from "#app/features/account/settings/social/social-messages.ts";
import { walletLinkScript } from "#app/features/account/settings/social/wallet/wallet-script.ts";
import type { Providers } from "#app/services/auth/oauth/providers.server.ts";
import type { PremiumAccess } from "#app/services/config/setting-values.ts";
import { Notice } from "#app/ui/components/notice.tsx";
import { hasMailbox } from "#app/features/account/mailbox/mailbox.server.ts";
import { authPath, readReturnTo, signedInPath } from "#app/services/auth/return-to.ts";

export const handle: DocumentHandle = {
  document: "plain",
  script: (loaderData) => (hasWallets(loaderData) ? scriptWithWallets : scriptAlone),
};

const scriptAlone = plainScript(themeScript());
const scriptWithWallets = plainScript(themeScript(), walletLinkScript);

function hasWallets(loaderData: unknown): boolean {
  return (
    typeof loaderData === "object" &&
    loaderData !== null &&
    "hasWallets" in loaderData &&
    loaderData.hasWallets === true
  );
}

export async function loader({ context, request, url }: Route.LoaderArgs) {
  const { auth, mail, config, sign } = services(context);
  const { returnTo, wanted } = readDestination(url, config.premium);
  if (viewer(context)) throw replace(returnTo ?? signedInPath);
  const tab: AuthTab = url.searchParams.get("tab") === "signup" ? "signup" : "login";
  const link = url.searchParams.get("link");
  const hasPasswords = !config.providers.sso?.isOnly;
  return {
    tab,
    returnTo,
    /** What the links between the tabs keep: the path of the address, and the plan. */
    kept: { returnTo: wanted, choice: choiceOf(url.searchParams) },
    planId: readChosenPlan(url.searchParams),
    hasDraftCard: readDraftCard({ config, sign }, request.headers.get("cookie")) !== undefined,
    canMail: mail.isConfigured,
    hasMailBox: hasMailbox(config),
    hasPlans: config.premium !== "everyone" && config.signUp === "open",
    failure: readFailure(url.searchParams, { providers: auth.providers, hasPasswords }),
    providers: auth.providers.list.filter(({ canSignIn }) => canSignIn),
    hasWallets: auth.hasWallets,
    canUsePasskeys: auth.canUsePasskeys,
    hasPasswords,
    invitedAs: (await findAcceptedInvitation({ auth, config }, request.headers))?.email,
    signUp: config.signUp,
    sent: tab === "signup" && !url.searchParams.has("again") ? await findSentLink(context, request) : undefined,
    // An expired confirmation link still contains its address, to which a new one can be sent.
    link: link === null ? undefined : { pending: link, email: auth.readPendingAddress(link) },
  };
}

/** The path to open after signing in. `wanted` is the one in the address; without one, a visitor who chose a paid plan continues with it. */
function readDestination({ searchParams }: URL, premium: PremiumAccess) {
  const wanted = readReturnTo(searchParams);
  return { returnTo: wanted ?? subscribePath(searchParams, premium), wanted };
}

/** The sign-up of this browser that waits for its confirmation: the page may be loaded again meanwhile. */
async function findSentLink(context: Route.LoaderArgs["context"], request: Request) {
  const all = services(context);
  const pending = readSignUpCookie(all, request.headers);
  const email = pending === undefined ? undefined : await all.auth.findPendingAddress(pending);
  return pending !== undefined && email !== undefined ? { email, pending } : undefined;
}

/** From a callback. The value is a code that means nothing to people, and anyone can put one into a link. */
function readFailure(
  search: URLSearchParams,
  { providers, hasPasswords }: { providers: Providers; hasPasswords: boolean },
): { title: string; text?: string } | undefined {
  const code = search.get("error");
  if (code === null) return undefined;
  const provider = providers.find(search.get("provider") ?? "");
  return (provider && signInFailure(code, { provider: provider.name, hasPasswords })) ?? messages.signInFailed;
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const fields = await readFields(request);
  const { address } = context.get(requestContext);
  const all = services(context);
  const { returnTo } = readDestination(url, all.config.premium);
  const { headers } = request;
  const draft = draftCardText(all, headers.get("cookie"));
  return respondToAuthForm({ services: all, fields, address, headers, returnTo, draft });
}

/** Unlike the other sign-in pages, this one may be listed by search engines. */
export function headers({ parentHeaders }: Route.HeadersArgs) {
  const own = new Headers(parentHeaders);
  own.delete("x-robots-tag");
  return own;
}

export function meta(args: Route.MetaArgs) {
  const { hasPlans, signUp } = args.loaderData;
  const offer = hasPlans
    ? ", or create a free account with one card"
    : signUp === "open"
      ? ", or create an account"
      : "";
  const description = `Sign in to your business card and link page${offer}.`;
  // AuthCard sets the title: it depends on the tab and on errors.
  return pageHead(args, { title: "Login | Meishi", description }).filter((tag) => !("title" in tag));
}

export default function AuthPage({ loaderData, actionData }: Route.ComponentProps) {
  const { returnTo, kept, planId, canMail, canUsePasskeys, link, failure, hasDraftCard, providers, hasPasswords } =
    loaderData;
  const premium = usePremiumAccess();
  const sent = actionData?.kind === "check-email" ? actionData : actionData ? undefined : loaderData.sent;
  if (sent) return <CheckEmail {...sent} hasMailBox={loaderData.hasMailBox} {...{ returnTo, hasDraftCard }} />;
  const tab = actionData?.kind === "refused" ? actionData.tab : loaderData.tab;
  const refusal = actionData?.kind === "refused" ? actionData : { email: "", errors: {} };
  const isSignUp = tab === "signup";
  const { invitedAs, signUp } = loaderData;
  const closed = signUp === "open" || invitedAs !== undefined ? undefined : signUp;
  return (
    <AuthCard
      title={isSignUp ? "Sign Up" : "Login"}
      hasErrors={actionData !== undefined || failure !== undefined}
      heading={isSignUp ? (closed ? signUpNotes[closed] : signUpHeading(premium)) : "Welcome back"}
      lead={isSignUp && !closed ? signUpLead(planId, hasDraftCard, premium) : undefined}
    >
      {hasPasswords && <AuthTabs tab={tab} returnTo={kept.returnTo} planQuery={kept.choice} />}
      {failure && !actionData && (
        <Notice tone="error" title={failure.title}>
          {failure.text}
        </Notice>
      )}
      {isSignUp && closed ? (
        <ClosedSignUp
          policy={closed}
          notice={actionData?.kind === "refused" ? actionData.notice : undefined}
          href={authPath(kept.returnTo)}
        />
      ) : (
        <ProviderButtons {...{ providers, returnTo }} />
      )}
      {hasPasswords && !(isSignUp && closed) && (
        <>
          {providers.length > 0 && <OrDivider />}
          {link && !actionData && <ExpiredLinkNotice {...link} />}
          {isSignUp ? (
            <SignUpForm {...refusal} canMail={canMail} invitedAs={invitedAs} />
          ) : (
            <LogInForm {...refusal} {...{ returnTo, canMail, canUsePasskeys, hasWallets: loaderData.hasWallets }} />
          )}
          {!isSignUp && !closed && (
            <CreateAccountLink href={authPath(kept.returnTo, { tab: "signup", ...kept.choice })} />
          )}
        </>
      )}
    </AuthCard>
  );
}

function signUpHeading(premium: PremiumAccess) {
  return premium === "everyone" ? "Create your account" : "Create your free account";
}

function signUpLead(planId: PlanId | undefined, hasDraftCard: boolean, premium: PremiumAccess) {
  if (premium === "everyone" || !planId || !isPaid(plans[planId]))
    return hasDraftCard ? messages.draftCard : "Your own profile and business card.";
  const chosen = `${hasDraftCard ? `${messages.draftCard} ` : ""}You chose ${plans[planId].name}.`;
  return premium === "sold"
    ? `${chosen} You’ll pay after you confirm your email.`
    : `${chosen} It isn’t available yet, so your account starts on Free.`;
}
