import { z } from "zod";

import type { AppTokens } from "#app/services/auth/apps/app-sessions.server.ts";
import type { AppRedirect } from "#app/services/auth/apps/app-links.server.ts";
import type { ClientCall } from "#app/services/client-api/client-route.server.ts";
import type { Services } from "#app/services/http/context.ts";

import { describeTokens, refusal } from "./client-response.server.ts";

/** RFC 7636 §4.3, as clients send it in the body or, to open a provider, in the query. A SHA-256 in base64url, or none. */
export const challengeFields = {
  code_challenge: z
    .string()
    .regex(/^(?:[\w-]{43})?$/, "Send a SHA-256 in base64url.")
    .nullish(),
  code_challenge_method: z.string().max(20).nullish(),
};

type Challenge = { code_challenge?: string | null | undefined; code_challenge_method?: string | null | undefined };

/** Where a link leads back to: a page of this site, or an app that the operator lists in API_APP_ORIGINS. */
export function readRedirect({ services, query }: ClientCall, given: Challenge): AppRedirect {
  const { code_challenge: challenge, code_challenge_method: method } = given;
  if (challenge && method?.toLowerCase() !== "s256")
    throw refusal(400, "validation_failed", "code_challenge_method must be s256.");
  const wanted = query.get("redirect_to") ?? "";
  const redirectTo = wanted === "" ? services.config.baseUrl : allowedRedirect(services, wanted);
  if (redirectTo === undefined)
    throw refusal(400, "validation_failed", "redirect_to must lead to this site or to an origin in API_APP_ORIGINS.");
  return { redirectTo, challenge: challenge ?? "" };
}

function allowedRedirect({ config }: Services, wanted: string): string | undefined {
  if (wanted.length > 1000 || !URL.canParse(wanted, config.baseUrl)) return undefined;
  const url = new URL(wanted, config.baseUrl);
  const isListed = [config.baseUrl, ...config.appOrigins].some((origin) =>
    /^https?:/.test(origin)
      ? // The origin of "blob:https://…" is that of its page.
        url.origin === origin && /^https?:$/.test(url.protocol)
      : // "myapp://callback" or, without a host, any address of that app.
        url.protocol === new URL(origin).protocol && ["", url.host].includes(new URL(origin).host),
  );
  return isListed && url.username === "" && url.password === "" ? url.href : undefined;
}

/** The address of an app with parameters for it: in the query, or after "#", which no server sees. */
export function redirectToApp(redirectTo: string, part: "query" | "hash", values: Record<string, string>): Response {
  const url = new URL(redirectTo);
  if (part === "hash") url.hash = String(new URLSearchParams(values));
  else for (const [name, value] of Object.entries(values)) url.searchParams.set(name, value);
  return new Response(null, { status: 303, headers: { location: url.href, "referrer-policy": "no-referrer" } });
}

/** The address of an app with a session. `type`: of the mail that led here. */
export function redirectWithTokens(redirectTo: string, tokens: AppTokens, type?: "recovery" | "magiclink"): Response {
  const values = Object.entries({ ...describeTokens(tokens), ...(type && { type }) });
  return redirectToApp(redirectTo, "hash", Object.fromEntries(values.map(([name, value]) => [name, String(value)])));
}

/** Where the operator wants single sign-on alone, every other sign-in method is refused here too. */
export function requirePasswords({ config }: Services): void {
  if (config.providers.sso?.isOnly)
    throw refusal(422, "email_provider_disabled", "On this site, single sign-on is the only way in.");
}

export function requireEmail({ mail }: Services): void {
  if (!mail.isConfigured) throw refusal(422, "email_provider_disabled", "Email isn't set up on this server.");
}
