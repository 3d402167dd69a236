import { limitSignUpForm } from "#app/features/account/data.server.ts";
import type { RateLimited } from "#app/features/account/data.server.ts";
import { limits } from "#app/features/account/rules.ts";
import type { AcceptResult } from "#app/services/auth/emails/invitations.server.ts";
import type { Services } from "#app/services/http/context.ts";
import { httpOnlyCookie, readHostCookie } from "#app/services/http/cookies.ts";
import { networkOf } from "#app/services/http/rate-limits.server.ts";

type CookieDeps = { config: Pick<Services["config"], "baseUrl"> };

const sentCookieName = "meishi.sign_up_sent";
const sentCookie = { name: sentCookieName, seconds: 10 * 60 };
const invitationCookie = { name: "meishi.invitation", seconds: 60 * 60 };

const isSecure = ({ config }: CookieDeps) => config.baseUrl.startsWith("https:");

/** The Set-Cookie that names the sign-up of this browser, so that a reloaded page still says where the link went. `pending` is signed. */
export function signUpCookie(deps: CookieDeps, pending: string): string {
  return httpOnlyCookie(sentCookie.name, pending, { ...sentCookie, isSecure: isSecure(deps) });
}

export function readSignUpCookie(deps: CookieDeps, headers: Headers): string | undefined {
  return readHostCookie(headers, sentCookie.name, isSecure(deps));
}

/** The Set-Cookie with the token of an invitation that was accepted in this browser; "" deletes it. */
export function acceptedInvitation(deps: CookieDeps, token: string): string {
  const seconds = token === "" ? 0 : invitationCookie.seconds;
  return httpOnlyCookie(invitationCookie.name, token, { seconds, isSecure: isSecure(deps) });
}

export function readInvitationCookie(deps: CookieDeps, headers: Headers): string | undefined {
  return readHostCookie(headers, invitationCookie.name, isSecure(deps)) || undefined;
}

/** The invitation that was accepted in this browser and that still works. */
export async function findAcceptedInvitation(
  { auth, config }: Pick<Services, "auth" | "config">,
  headers: Headers,
): Promise<{ token: string; email: string } | undefined> {
  const token = readInvitationCookie({ config }, headers);
  const email = token && (await auth.findInvitation(token));
  return token && email ? { token, email } : undefined;
}

/** Counts an attempt to open an invitation; one with a valid link is refunded. */
export async function openInvitation(
  { auth, rateLimits }: Pick<Services, "auth" | "rateLimits">,
  { token, address }: { token: string; address: string },
): Promise<{ kind: "open"; email: string } | { kind: "gone" } | RateLimited> {
  const attempt = { limit: limits.codesFromNetwork, subject: networkOf(address) };
  const refused = await rateLimits.consume([attempt]);
  if (refused) return { kind: "rate-limited", ...refused };
  const email = await auth.findInvitation(token);
  if (email === undefined) return { kind: "gone" };
  await rateLimits.refund([attempt]);
  return { kind: "open", email };
}

type Accepted = { token: string; password: string; address: string; headers: Headers };

/** Creates the account of an invitation. Counts like a sign-up. */
export async function acceptInvitation(services: Services, accepted: Accepted): Promise<AcceptResult | RateLimited> {
  const { address } = accepted;
  const limited = await limitSignUpForm(services, { address });
  if (limited) return limited;
  const refused = await services.rateLimits.consume([
    { limit: limits.signUpsFromNetwork, subject: networkOf(address) },
  ]);
  return refused ? { kind: "rate-limited", ...refused } : services.auth.acceptInvitation(accepted);
}
