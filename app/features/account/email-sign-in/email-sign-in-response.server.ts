import { redirect } from "react-router";

import { messages } from "#app/features/account/messages.ts";
import { localPath, verifyPath } from "#app/services/auth/return-to.ts";
import { findSignedInPath } from "#app/features/account/data.server.ts";
import { cookieHeaders } from "#app/features/account/sign-in/auth-response.server.ts";
import type { EmailSignInResult } from "#app/services/auth/emails/email-sign-ins.server.ts";
import type { Services } from "#app/services/http/context.ts";
import { logSecurityEvent } from "#app/services/http/request-log.server.ts";
import { redirectWithToast } from "#app/services/http/toast.server.ts";

/** Leads to where a sign-in by link or code goes on. */
export async function respondToEmailSignIn(
  { db, log }: Pick<Services, "db" | "log">,
  result: Exclude<EmailSignInResult, { kind: "refused" }>,
): Promise<Response> {
  const returnTo = localPath(result.returnTo ?? "");
  const account = result.userId;
  switch (result.kind) {
    case "blocked":
      logSecurityEvent(log, { event: "sign-in-refused", account });
      return redirectWithToast("/auth", { ...messages.accountBlocked, tone: "error" });
    case "second-factor":
      return redirect(verifyPath(returnTo), { headers: cookieHeaders(result.cookies) });
    case "signed-in":
      logSecurityEvent(log, { event: "signed-in", account });
      return redirectWithToast(
        returnTo ?? (await findSignedInPath({ db }, account)),
        { title: messages.signedIn, tone: "success" },
        cookieHeaders(result.cookies),
      );
  }
}
