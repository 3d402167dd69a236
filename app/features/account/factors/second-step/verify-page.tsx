import { data, redirect } from "react-router";

import type { DocumentHandle } from "#app/document.ts";
import { authPath, readReturnTo, signedInPath, verifyPath } from "#app/services/auth/return-to.ts";
import { messages } from "#app/features/account/messages.ts";
import { readFields } from "#app/features/account/schema.ts";
import { AuthCard, BackToLogin } from "#app/features/account/sign-in/auth-card.tsx";
import { findSignedInPath } from "#app/features/account/data.server.ts";
import { cookieHeaders, reportFailure } from "#app/features/account/sign-in/auth-response.server.ts";
import { plainScript } from "#app/features/account/sign-in/form-script.ts";
import { themeScript } from "#app/features/shell/theme/theme-script.ts";
import type { SecondFactorKind } from "#app/services/auth/sessions/sign-ins.server.ts";
import { formatWait } from "#app/services/base/format.ts";
import { requestContext, services, viewer } from "#app/services/http/context.ts";
import { logSecurityEvent } from "#app/services/http/request-log.server.ts";
import { redirectWithToast } from "#app/services/http/toast.server.ts";

import type { Route } from "./+types/verify-page.ts";
import { finishSignIn } from "#app/features/account/factors/factor-data.server.ts";
import { factorMessages, tooManyCodesMessage } from "#app/features/account/factors/factor-messages.ts";
import { passkeyScript } from "#app/features/account/factors/passkeys/passkey-script.ts";
import { VerifyForm } from "./verify-form.tsx";
import type { VerifyProblem } from "./verify-form.tsx";

export const handle: DocumentHandle = { document: "plain", script: plainScript(themeScript(), passkeyScript) };

export async function loader({ context, request, url }: Route.LoaderArgs) {
  const { auth } = services(context);
  const returnTo = readReturnTo(url.searchParams);
  const waiting = await auth.findWaitingUser(request.headers);
  if (!waiting) throw respondToExpired(context, returnTo);
  const { hasApp, passkeyCount } = await auth.findFactors(waiting.id);
  const isBackupCode = url.searchParams.get("with") === "backup-code";
  return { returnTo, hasApp, hasPasskeys: passkeyCount > 0, isBackupCode };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const all = services(context);
  const { address } = context.get(requestContext);
  const returnTo = readReturnTo(url.searchParams);
  const fields = await readFields(request);
  const { code = "", credential = "" } = fields;
  const kind: SecondFactorKind = credential ? "passkey" : fields.kind === "backup-code" ? "backup-code" : "code";
  const isTrusted = fields.trust === "on";
  const reject = (problem: VerifyProblem, status = 400) => data({ ...problem, code, isTrusted }, status);
  if (!credential && code.trim() === "") return reject({ error: factorMessages.codeRequired });
  try {
    const response = { kind, text: credential || code };
    const result = await finishSignIn(all, { response, isTrusted, address, headers: request.headers });
    const { account } = result;
    switch (result.kind) {
      case "expired":
        return respondToExpired(context, returnTo);
      case "rate-limited":
        return reject({ notice: tooManyCodesMessage(formatWait(result.until, all.clock())) }, 429);
      case "refused":
        logSecurityEvent(all.log, { event: "sign-in-refused", account });
        return reject(problemOf(kind));
      case "signed-in": {
        logSecurityEvent(all.log, { event: "signed-in", account });
        const toast = { title: messages.signedIn, tone: "success" } as const;
        return redirectWithToast(
          returnTo ?? (await findSignedInPath(all, account)),
          toast,
          cookieHeaders(result.cookies),
        );
      }
    }
  } catch (error) {
    const { notice, status } = reportFailure(all, error);
    return reject({ notice }, status);
  }
}

function problemOf(kind: SecondFactorKind): VerifyProblem {
  if (kind === "passkey") return { notice: factorMessages.wrongPasskey };
  return { error: kind === "backup-code" ? factorMessages.wrongBackupCode : factorMessages.wrongCode };
}

/** Leads to where the user can sign in again, or on, if another tab finished the sign-in. */
function respondToExpired(context: Route.LoaderArgs["context"], returnTo: string | undefined): Response {
  if (viewer(context)) return redirect(returnTo ?? signedInPath);
  return redirectWithToast(authPath(returnTo), { ...factorMessages.expired, tone: "info" });
}

export default function VerifyPage({ loaderData, actionData }: Route.ComponentProps) {
  const { returnTo, isBackupCode, hasApp, hasPasskeys } = loaderData;
  const view = isBackupCode ? "backup-code" : hasApp ? "code" : "passkey";
  return (
    <AuthCard
      title="Two-step verification"
      heading="Two-step verification"
      lead={leads[view]}
      hasErrors={actionData !== undefined}
    >
      <VerifyForm
        view={view}
        hasPasskeys={hasPasskeys}
        problem={actionData}
        code={actionData?.code ?? ""}
        isTrusted={actionData?.isTrusted ?? false}
        otherWay={
          isBackupCode
            ? { href: verifyPath(returnTo), label: hasApp ? "Use your authenticator app" : "Use a passkey" }
            : { href: withBackupCode(returnTo), label: "Use a backup code" }
        }
      />
      <BackToLogin href={authPath(returnTo)} />
    </AuthCard>
  );
}

const leads = {
  code: "Enter the 6-digit code from your authenticator app.",
  "backup-code": "Enter one of the backup codes you saved. Each works once.",
  passkey: "Use one of your passkeys to finish signing in.",
};

function withBackupCode(returnTo: string | undefined): string {
  const query = new URLSearchParams({ with: "backup-code", ...(returnTo && { returnTo }) });
  return `/auth/verify?${query}`;
}
