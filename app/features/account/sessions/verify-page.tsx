import { data, redirect } from "react-router";

import type { DocumentHandle } from "#app/document.ts";
import { confirmIdentity } from "#app/features/account/factors/factor-data.server.ts";
import { factorMessages, tooManyCodesMessage } from "#app/features/account/factors/factor-messages.ts";
import { passkeyScript } from "#app/features/account/factors/passkeys/passkey-script.ts";
import { hasMailbox } from "#app/features/account/mailbox/mailbox.server.ts";
import { factorLimits, limits } from "#app/features/account/rules.ts";
import { settingsMessages } from "#app/features/account/settings/settings-messages.ts";
import { limitProof } from "#app/features/account/settings/sign-in-data.server.ts";
import type { PasswordRefusal } from "#app/features/account/settings/sign-in-data.server.ts";
import { AuthCard } from "#app/features/account/sign-in/auth-card.tsx";
import { accountFailure, cookieHeaders } from "#app/features/account/sign-in/auth-response.server.ts";
import { plainScript } from "#app/features/account/sign-in/form-script.ts";
import { themeScript } from "#app/features/shell/theme/theme-script.ts";
import type { SecondFactorResponse } from "#app/services/auth/factors/second-factor-checks.server.ts";
import { authPath, readReturnTo } from "#app/services/auth/return-to.ts";
import type { IdentityProof } from "#app/services/auth/sessions/identity-checks.server.ts";
import { formatWait } from "#app/services/base/format.ts";
import { readSentForm } from "#app/services/forms/form-action.server.ts";
import type { SentForm } from "#app/services/forms/form-action.server.ts";
import { requireUser, services, viewer } from "#app/services/http/context.ts";
import { networkOf } from "#app/services/http/rate-limits.server.ts";
import { logSecurityEvent } from "#app/services/http/request-log.server.ts";
import { tryWrite } from "#app/services/http/save-response.server.ts";
import { ButtonLink } from "#app/ui/components/button.tsx";
import { Notice } from "#app/ui/components/notice.tsx";

import type { Route } from "./+types/verify-page.ts";
import { CodeProof, PasskeyProof, PasswordProof } from "./identity-forms.tsx";
import { identityMessages as messages, readCode, readSecondFactor, tooManyProofsMessage } from "./identity-messages.ts";

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

/** A proof that was refused, or a code that was sent. Passwords and codes are never sent back. */
type IdentityResult = {
  notice?: { tone: "success" | "error"; title: string; text?: string };
  /** The problem with the typed password or mailed code. */
  error?: string;
  /** The problem with the second factor. */
  factorError?: string;
};

/** A form that confirms who the user is, and the page that asked. */
type IdentityForm = SentForm & { returnTo: string };

/** Handles the forms that confirm who the user is, and leads back to the page that asked. */
async function respondToProof(sent: IdentityForm) {
  const { all, ownerId, fields } = sent;
  const respond = async () => {
    if (fields.intent === "send-code") return respondToCodeRequest(sent);
    if (fields.intent === "passkey") return respondToPasskey(sent);
    const second = readSecondFactor(fields.factor ?? "");
    if (!second && (await all.auth.findFactors(ownerId)).isOn)
      return data<IdentityResult>({ factorError: factorMessages.codeRequired }, 400);
    return fields.intent === "code" ? respondToCode(sent, second) : respondToPassword(sent, second);
  };
  return tryWrite(all.log, respond, { ...accountFailure, refuse: showProblem });
}

function showProblem(problem: { title: string; text?: string }, status: number) {
  return data<IdentityResult>({ notice: { tone: "error", ...problem } }, status);
}

async function respondToPassword(sent: IdentityForm, second: SecondFactorResponse | undefined) {
  const { all, ownerId: userId, origin } = sent;
  const password = sent.text("password");
  if (password === "") return data<IdentityResult>({ error: settingsMessages.currentPasswordRequired }, 400);
  const checked = await limitProof(all.rateLimits, { userId, ...origin }, async () => {
    // Longer than any password: not worth the work of a check.
    return password.length <= 4096 && all.auth.checkPassword({ userId, password });
  });
  if (checked.kind !== "right") return refuse(sent, checked, settingsMessages.wrongCurrentPassword);
  return respondToOutcome(sent, await confirm(sent, { method: "password", second }));
}

async function respondToCode(sent: IdentityForm, second: SecondFactorResponse | undefined) {
  const { all, ownerId: userId, origin } = sent;
  const code = readCode(sent.text("code"));
  if (code === undefined) return data<IdentityResult>({ error: messages.codeRequired }, 400);
  let outcome: Outcome = { kind: "refused" };
  const checked = await limitProof(all.rateLimits, { userId, ...origin }, async () => {
    outcome = await confirm(sent, { method: "email-code", code, second });
    return outcome.kind !== "refused";
  });
  if (checked.kind !== "right") return refuse(sent, checked, messages.wrongCode);
  return respondToOutcome(sent, outcome);
}

async function respondToPasskey(sent: IdentityForm) {
  const { rateLimits } = sent.all;
  const attempt = { limit: factorLimits.passkeysFromNetwork, subject: networkOf(sent.origin.address) };
  const refused = await rateLimits.consume([attempt]);
  if (refused) return refuse(sent, { kind: "rate-limited", ...refused }, "");
  const outcome = await confirm(sent, { method: "passkey", response: sent.text("credential") });
  if (outcome.kind === "confirmed") await rateLimits.refund([attempt]);
  return respondToOutcome(sent, outcome);
}

type Outcome = Awaited<ReturnType<typeof confirmIdentity>>;

function confirm({ all, context, origin }: IdentityForm, proof: IdentityProof): Promise<Outcome> {
  return confirmIdentity(all, { user: requireUser(context), proof, ...origin });
}

function respondToOutcome({ all, ownerId: account, returnTo }: IdentityForm, outcome: Outcome) {
  switch (outcome.kind) {
    case "confirmed":
      return redirect(returnTo, { headers: cookieHeaders(outcome.cookies) });
    case "rate-limited":
      return showProblem(tooManyCodesMessage(formatWait(outcome.until, all.clock())), 429);
    case "second-factor":
      logSecurityEvent(all.log, { event: "password-refused", account });
      return data<IdentityResult>({ factorError: factorMessages.wrongProofCode }, 400);
    case "refused":
      logSecurityEvent(all.log, { event: "password-refused", account });
      return showProblem(messages.wrongPasskey, 400);
  }
}

async function respondToCodeRequest({ all, ownerId: userId, origin }: IdentityForm) {
  const { auth, mail, rateLimits, clock } = all;
  if (!mail.isConfigured) return showProblem(messages.noMail, 503);
  // A password is the stronger proof: who reads the mail alone can't replace it.
  if ((await auth.findPasswordTime(userId)) !== undefined) return data<IdentityResult>({}, 400);
  const refused = await rateLimits.consume([
    { limit: limits.mailsFromNetwork, subject: networkOf(origin.address) },
    { limit: limits.identityCodesOfAccount, subject: userId },
  ]);
  if (refused) return showProblem(tooManyProofsMessage(formatWait(refused.until, clock())), 429);
  await auth.sendIdentityCode(userId);
  return data<IdentityResult>({ notice: { tone: "success", ...messages.codeSent } });
}

/** Responds to a wrong proof or a limit that was reached, and logs it. */
function refuse({ all, ownerId }: IdentityForm, refusal: PasswordRefusal, error: string) {
  if (refusal.kind === "rate-limited")
    return showProblem(tooManyProofsMessage(formatWait(refusal.until, all.clock())), 429);
  logSecurityEvent(all.log, { event: "password-refused", account: ownerId });
  return data<IdentityResult>({ error }, 400);
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
