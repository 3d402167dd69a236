import { data } from "react-router";

import { readFields } from "#app/features/account/schema.ts";
import { AuthCard } from "#app/features/account/sign-in/auth-card.tsx";
import { reportFailure } from "#app/features/account/sign-in/auth-response.server.ts";
import { requestContext, services, viewer } from "#app/services/http/context.ts";
import { Button, ButtonLink } from "#app/ui/components/button.tsx";
import { Notice } from "#app/ui/components/notice.tsx";

import type { Route } from "./+types/link-page.ts";
import { respondToEmailSignIn } from "./email-sign-in-response.server.ts";

/** Opening the link changes nothing, because mail scanners open links too: the button does. */
export async function loader({ request, context, url }: Route.LoaderArgs) {
  const { auth } = services(context);
  const link = await auth.findEmailLink({ token: readToken(url), headers: request.headers });
  const user = viewer(context);
  const leaves = link && user && user.id !== link.userId ? user.email : undefined;
  return { link: link && { email: link.email, browser: link.browser, isSameBrowser: link.isSameBrowser }, leaves };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const all = services(context);
  const { address } = context.get(requestContext);
  const { headers } = request;
  const isConfirmed = (await readFields(request)).browser === "other";
  try {
    const result = await all.auth.signInWithLink({ token: readToken(url), isConfirmed, headers, address });
    if (result.kind === "refused") return data({ failure: undefined }, 410);
    return await respondToEmailSignIn(all, result);
  } catch (error) {
    const { notice, status } = reportFailure(all, error);
    return data({ failure: notice }, status);
  }
}

export default function LinkPage({ loaderData, actionData }: Route.ComponentProps) {
  const { link, leaves } = loaderData;
  if (!link) return <LinkExpired />;
  const { email, browser, isSameBrowser } = link;
  const failure = actionData?.failure;
  return (
    <AuthCard
      title="Sign in"
      heading={isSameBrowser ? "Sign in to Meishi" : "Sign in on this browser?"}
      hasErrors={failure !== undefined}
    >
      {failure && (
        <Notice tone="error" title={failure.title}>
          {failure.text}
        </Notice>
      )}
      <p className="grid gap-1">
        <span className="text-sm text-muted">You’ll be signed in as</span>
        <strong className="text-lg font-semibold wrap-anywhere">{email}</strong>
      </p>
      {!isSameBrowser && (
        <p>
          This link was requested in another browser ({browser}). Continue only if that was you. To sign in there
          instead, type the code from the email on that page.
        </p>
      )}
      <form method="post" name="link" className="grid gap-3">
        {!isSameBrowser && <input type="hidden" name="browser" value="other" />}
        <Button variant="main" type="submit" data-busy="Signing in...">
          {isSameBrowser ? "Sign in" : "Sign in on this browser"}
        </Button>
        {leaves !== undefined && (
          <p className="text-sm text-muted wrap-anywhere">This signs you out of {leaves} on this browser.</p>
        )}
      </form>
    </AuthCard>
  );
}

function LinkExpired() {
  return (
    <AuthCard title="Sign in" hasErrors heading="Sign in to Meishi">
      <Notice tone="warning" title="This sign-in link no longer works">
        Links are valid for 10 minutes and work once. Request a new one on the sign-in page.
      </Notice>
      <ButtonLink variant="main" href="/auth">
        Go to sign-in
      </ButtonLink>
    </AuthCard>
  );
}

function readToken(url: URL): string {
  return url.searchParams.get("token") ?? "";
}
