import { redirect } from "react-router";

import type { DocumentHandle } from "#app/document.ts";
import { passkeyScript } from "#app/features/account/factors/passkeys/passkey-script.ts";
import { hasMailbox } from "#app/features/account/mailbox/mailbox.server.ts";
import { authPath, readReturnTo } from "#app/services/auth/return-to.ts";
import { AuthCard } from "#app/features/account/sign-in/auth-card.tsx";
import { plainScript } from "#app/features/account/sign-in/form-script.ts";
import { themeScript } from "#app/features/shell/theme/theme-script.ts";
import { readSentForm } from "#app/services/forms/form-action.server.ts";
import { services, viewer } from "#app/services/http/context.ts";
import { ButtonLink } from "#app/ui/components/button.tsx";
import { Notice } from "#app/ui/components/notice.tsx";

import type { Route } from "./+types/verify-page.ts";
import { CodeProof, PasskeyProof, PasswordProof } from "./identity-forms.tsx";
import { identityMessages as messages } from "./identity-messages.ts";
import { respondToProof } from "./identity-response.server.ts";
import type { IdentityResult } from "./identity-response.server.ts";

export const handle: DocumentHandle = { document: "plain", script: plainScript(themeScript(), passkeyScript) };

export async function loader({ context, url }: Route.LoaderArgs) {
  const user = viewer(context);
  // Signing in is a proof as well.
  if (!user) throw redirect(authPath(readReturnTo(url.searchParams)));
  const { auth, mail, config } = services(context);
  const { isOn, hasApp, passkeyCount } = await auth.findFactors(user.id);
  return {
    isTwoStep: isOn,
    hasApp,
    hasPasskeys: passkeyCount > 0,
    email: user.email,
    returnTo: readReturnTo(url.searchParams) ?? "/account",
    hasPassword: (await auth.findPasswordTime(user.id)) !== undefined,
    hasCode: (await auth.findIdentityCode(user.id)) !== undefined,
    canMail: mail.isConfigured,
    hasMailBox: hasMailbox(config),
  };
}

export async function action(args: Route.ActionArgs) {
  const returnTo = readReturnTo(args.url.searchParams);
  if (!viewer(args.context)) return redirect(authPath(returnTo));
  return respondToProof(Object.assign(await readSentForm(args), { returnTo: returnTo ?? "/account" }));
}

export default function VerifyPage({ loaderData, actionData }: Route.ComponentProps) {
  const { email, hasPassword, hasPasskeys, isTwoStep, hasApp, returnTo } = loaderData;
  const result: IdentityResult = actionData ?? {};
  const { notice, error, factorError } = result;
  // Two-step verification with passkeys alone.
  const isPasskeyMain = isTwoStep && hasPasskeys && !hasApp;
  const factor = isTwoStep ? { hasApp, error: factorError } : undefined;
  const common = { email, error, factor, isMain: !isPasskeyMain };
  return (
    <AuthCard
      title={messages.heading}
      heading={messages.heading}
      lead={messages.lead}
      hasErrors={error !== undefined || factorError !== undefined || notice?.tone === "error"}
    >
      {notice && (
        <Notice
          tone={notice.tone}
          title={notice.title}
          action={
            notice.tone === "success" &&
            loaderData.hasMailBox && (
              <ButtonLink size="s" href="/dev/mail">
                Open mailbox
              </ButtonLink>
            )
          }
        >
          {notice.text}
        </Notice>
      )}
      {isPasskeyMain && <PasskeyProof isMain />}
      {hasPassword ? (
        <PasswordProof {...common} />
      ) : (
        <CodeProof {...loaderData} {...common} isResponse={actionData !== undefined} />
      )}
      {hasPasskeys && !isPasskeyMain && <PasskeyProof isMain={false} />}
      <a href={safeReturn(returnTo)} className={linkClass}>
        Not now
      </a>
    </AuthCard>
  );
}

/** Most pages that ask would lead here again. */
function safeReturn(returnTo: string): string {
  if (returnTo.startsWith("/leads/notifications")) return returnTo;
  return returnTo.startsWith("/profile") ? "/profile" : "/account";
}

const linkClass = "-my-2.5 inline-flex min-h-11 items-center justify-self-center text-sm text-muted hover:text-text";
