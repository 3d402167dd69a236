import { data, redirect, replace } from "react-router";

import type { DocumentHandle } from "#app/document.ts";
import { findSignedInPath } from "#app/features/account/data.server.ts";
import { messages, tooManyCallbacksMessage } from "#app/features/account/messages.ts";
import { authPath, readReturnTo, signedInPath, verifyPath } from "#app/services/auth/return-to.ts";
import { readFields } from "#app/features/account/schema.ts";
import { AuthCard, BackToLogin } from "#app/features/account/sign-in/auth-card.tsx";
import { cookieHeaders, reportFailure } from "#app/features/account/sign-in/auth-response.server.ts";
import { plainScript } from "#app/features/account/sign-in/form-script.ts";
import { useSignUpNote } from "#app/features/shell/site-facts.ts";
import { throwNotFound } from "#app/features/shell/shell.server.ts";
import { themeScript } from "#app/features/shell/theme/theme-script.ts";
import { formatWait } from "#app/services/base/format.ts";
import { requestContext, services, viewer } from "#app/services/http/context.ts";
import { logSecurityEvent } from "#app/services/http/request-log.server.ts";
import { redirectWithToast } from "#app/services/http/toast.server.ts";
import { ButtonLink } from "#app/ui/components/button.tsx";
import { Notice } from "#app/ui/components/notice.tsx";
import { walletMessages } from "#app/features/account/settings/social/social-messages.ts";

import type { Route } from "./+types/wallet-sign-in-page.ts";
import { WalletButtons } from "./wallet-button.tsx";
import { signInWithWallet } from "./wallet-data.server.ts";
import { walletScript } from "./wallet-script.ts";

export const handle: DocumentHandle = { document: "plain", script: plainScript(themeScript(), walletScript) };

export function loader({ context, url }: Route.LoaderArgs) {
  if (!services(context).auth.hasWallets) throwNotFound(context, url);
  const returnTo = readReturnTo(url.searchParams);
  if (viewer(context)) throw replace(returnTo ?? signedInPath);
  return { returnTo };
}

type WalletResult = { kind: "unknown-wallet" } | { kind: "refused"; notice: { title: string; text?: string } };

export async function action({ request, context, url }: Route.ActionArgs) {
  const all = services(context);
  if (!all.auth.hasWallets) throwNotFound(context, url);
  const { signature = "" } = await readFields(request);
  try {
    return await signIn({ context, request, url }, signature);
  } catch (error) {
    const { notice, status } = reportFailure(all, error);
    return data<WalletResult>({ kind: "refused", notice }, status);
  }
}

async function signIn(
  { context, request, url }: Pick<Route.ActionArgs, "context" | "request" | "url">,
  signature: string,
) {
  const all = services(context);
  const { id, address } = context.get(requestContext);
  const returnTo = readReturnTo(url.searchParams);
  const refuse = (notice: { title: string; text?: string }, status: number) =>
    data<WalletResult>({ kind: "refused", notice }, status);
  const result = await signInWithWallet(all, { signature, address, headers: request.headers });
  const event = { id, account: "userId" in result ? result.userId : undefined };
  switch (result.kind) {
    case "rate-limited":
      return refuse(tooManyCallbacksMessage(formatWait(result.until, all.clock())), 429);
    case "refused":
      logSecurityEvent(all.log, { ...event, event: "sign-in-refused" });
      return refuse(walletMessages.refused, 400);
    case "blocked":
      logSecurityEvent(all.log, { ...event, event: "sign-in-refused" });
      return refuse(messages.accountBlocked, 403);
    case "unknown-wallet":
      return data<WalletResult>({ kind: "unknown-wallet" }, 404);
    case "second-factor":
      return redirect(verifyPath(returnTo), { headers: cookieHeaders(result.cookies) });
    case "signed-in":
      logSecurityEvent(all.log, { ...event, event: "signed-in" });
      return redirectWithToast(
        returnTo ?? (await findSignedInPath(all, result.userId)),
        { title: messages.signedIn, tone: "success" },
        cookieHeaders(result.cookies),
      );
  }
}

/** A page of its own, so that the script for wallets isn't a part of the sign-in page. */
export default function WalletSignInPage({ loaderData, actionData }: Route.ComponentProps) {
  const { returnTo } = loaderData;
  if (actionData?.kind === "unknown-wallet") return <UnknownWallet />;
  const notice = actionData?.notice;
  return (
    <AuthCard
      title="Sign in with a wallet"
      heading="Sign in with a wallet"
      lead="Your wallet asks you to sign a message. It costs nothing and moves no funds."
      hasErrors={notice !== undefined}
    >
      {notice && (
        <Notice tone="error" title={notice.title}>
          {notice.text}
        </Notice>
      )}
      <form method="post" name="wallet" className="grid gap-5">
        <WalletButtons purpose="sign-in" />
      </form>
      <BackToLogin href={authPath(returnTo)} />
    </AuthCard>
  );
}

/** An account has an email, so a wallet alone makes none. Both ways lead to the page that connects it. */
function UnknownWallet() {
  const note = useSignUpNote();
  return (
    <AuthCard title="Connect your wallet" heading="This wallet is new here">
      <p>
        {note === undefined
          ? "Every account has an email. Create a free account or sign in to yours, and connect this wallet in the next step. After that, it signs you in."
          : `${note}. Sign in to your account and connect this wallet in the next step. After that, it signs you in.`}
      </p>
      <div className="grid gap-3">
        {note === undefined && (
          <ButtonLink variant="main" href={authPath(connectWalletPath, { tab: "signup" })}>
            Create a free account
          </ButtonLink>
        )}
        <ButtonLink variant={note === undefined ? "quiet" : "main"} href={authPath(connectWalletPath)}>
          Sign in
        </ButtonLink>
      </div>
    </AuthCard>
  );
}

const connectWalletPath = "/account/wallet";
