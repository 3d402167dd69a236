import { limits } from "#app/features/account/rules.ts";
import type { RateLimited } from "#app/features/account/data.server.ts";
import type { EmailSignInResult } from "#app/services/auth/emails/email-sign-ins.server.ts";
import type { Services } from "#app/services/http/context.ts";
import { networkOf } from "#app/services/http/rate-limits.server.ts";

type AccountServices = Pick<Services, "auth" | "rateLimits">;

/** The network address of a request, used only for rate limits, and its headers. */
type Requester = { address: string; headers: Headers };

/** Counts and responds the same whether the address has an account or not. */
export async function requestEmailSignIn(
  { auth, rateLimits }: AccountServices,
  { email, returnTo, ...requester }: { email: string; returnTo: string | undefined } & Requester,
): Promise<{ kind: "sent"; cookies: string[] } | RateLimited> {
  // A browser that signed in before has its own allowance: no one else can use it up.
  const device = await auth.findKnownDevice({ email, headers: requester.headers });
  const refused = await rateLimits.consume(
    [
      { limit: limits.mailsFromNetwork, subject: networkOf(requester.address) },
      { limit: limits.signInMailsToAddress, subject: device === undefined ? email : `${email}\n${device}` },
    ],
    { account: () => auth.findUserId(email) },
  );
  if (refused) return { kind: "rate-limited", ...refused };
  // It travels in a cookie.
  const path = (returnTo?.length ?? 0) <= maxReturnTo ? returnTo : undefined;
  return { kind: "sent", ...(await auth.requestEmailSignIn({ email, returnTo: path, ...requester })) };
}

const maxReturnTo = 300;

/** Counts every attempt before it checks the code. The limit of the request is the narrow one: it locks no one else out. */
export async function signInWithCode(
  { auth, rateLimits }: AccountServices,
  { code, ...requester }: { code: string } & Requester,
): Promise<EmailSignInResult | RateLimited | { kind: "expired" }> {
  const asked = auth.findEmailRequest(requester.headers);
  if (!asked) return { kind: "expired" };
  const network = { limit: limits.codesFromNetwork, subject: networkOf(requester.address) };
  const account = { limit: limits.codesOfAccount, subject: asked.email };
  const refused = await rateLimits.consume([{ limit: limits.codesOfRequest, subject: asked.id }, network, account], {
    account: () => auth.findUserId(asked.email),
  });
  if (refused) return { kind: "rate-limited", ...refused };
  const result = await auth.signInWithCode({ code, ...requester });
  if (result.kind !== "refused") await rateLimits.refund([network, account]);
  return result;
}
