import { redirect } from "react-router";

import { hasMailbox } from "#app/features/account/mailbox/mailbox.server.ts";
import { authPath, readReturnTo } from "#app/features/account/return-to.ts";
import { readFields } from "#app/features/account/schema.ts";
import { AuthCard } from "#app/features/account/sign-in/auth-card.tsx";
import { PasswordField } from "#app/features/account/sign-in/password-field.tsx";
import { requestContext, services, viewer } from "#app/services/http/context.ts";
import { Button, ButtonLink } from "#app/ui/components/button.tsx";
import { Notice } from "#app/ui/components/notice.tsx";
import { Field } from "#app/ui/forms/field.tsx";

import type { Route } from "./+types/verify-page.ts";
import { identityMessages as messages } from "./identity-messages.ts";
import { respondToProof } from "./identity-response.server.ts";
import type { IdentityResult } from "./identity-response.server.ts";

export async function loader({ context, url }: Route.LoaderArgs) {
  const user = viewer(context);
  // Signing in is a proof as well.
  if (!user) throw redirect(authPath(readReturnTo(url.searchParams)));
  const { auth, mail, config } = services(context);
  return {
    email: user.email,
    returnTo: readReturnTo(url.searchParams) ?? "/account",
    hasPassword: (await auth.findPasswordTime(user.id)) !== undefined,
    hasCode: (await auth.findIdentityCode(user.id)) !== undefined,
    canMail: mail.isConfigured,
    hasMailBox: hasMailbox(config),
  };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const user = viewer(context);
  const returnTo = readReturnTo(url.searchParams);
  if (!user) return redirect(authPath(returnTo));
  const fields = await readFields(request);
  const { address, id } = context.get(requestContext);
  const { headers } = request;
  const common = { services: services(context), id, user, fields, address, headers };
  return respondToProof({ ...common, returnTo: returnTo ?? "/account" });
}

export default function VerifyPage({ loaderData, actionData }: Route.ComponentProps) {
  const { hasPassword, returnTo } = loaderData;
  const result: IdentityResult = actionData ?? {};
  const { notice, error } = result;
  return (
    <AuthCard
      title={messages.heading}
      heading={messages.heading}
      lead={messages.lead}
      hasErrors={error !== undefined || notice?.tone === "error"}
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
      {hasPassword ? (
        <PasswordProof email={loaderData.email} error={error} />
      ) : (
        <CodeProof {...loaderData} error={error} />
      )}
      <a href={safeReturn(returnTo)} className={linkClass}>
        Not now
      </a>
    </AuthCard>
  );
}

function PasswordProof({ email, error }: { email: string; error: string | undefined }) {
  return (
    <form method="post" name="password-proof" noValidate className="grid gap-5">
      <Field label="Email" type="email" autoComplete="username" value={email} readOnly />
      <PasswordField
        label="Password"
        error={error}
        isFirstProblem={error !== undefined}
        aside={
          <a href="/forgot-password" className="-my-3 inline-flex min-h-11 items-center underline hover:text-text">
            Forgot your password?
          </a>
        }
      />
      <Button variant="main" type="submit" data-busy="Checking...">
        Continue
      </Button>
    </form>
  );
}

type CodeProofProps = { email: string; error: string | undefined; hasCode: boolean; canMail: boolean };

/** For an account without a password. */
function CodeProof({ email, error, hasCode, canMail }: CodeProofProps) {
  if (!canMail)
    return (
      <Notice tone="warning" title={messages.noMail.title}>
        {messages.noMail.text}
      </Notice>
    );
  return (
    <>
      {hasCode && (
        <form method="post" name="code-proof" noValidate className="grid gap-5">
          <input type="hidden" name="intent" value="code" />
          <Field
            label="Code"
            name="code"
            inputMode="numeric"
            autoComplete="one-time-code"
            hint={`We sent it to ${email}.`}
            error={error}
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- the page is about this field alone
            autoFocus
          />
          <Button variant="main" type="submit" data-busy="Checking...">
            Continue
          </Button>
        </form>
      )}
      <form method="post" name="send-code" className="grid gap-3">
        <input type="hidden" name="intent" value="send-code" />
        <Button variant={hasCode ? "quiet" : "main"} type="submit" data-busy="Sending...">
          {hasCode ? "Email me a new code" : "Email me a code"}
        </Button>
        {!hasCode && <p className="text-sm text-muted wrap-anywhere">The code goes to {email}.</p>}
      </form>
    </>
  );
}

/** The page that asked would lead here again. */
function safeReturn(returnTo: string): string {
  return returnTo.startsWith("/profile") ? "/profile" : "/account";
}

const linkClass = "-my-2.5 inline-flex min-h-11 items-center justify-self-center text-sm text-muted hover:text-text";
