import { clientRoute } from "#app/services/client-api/client-route.server.ts";
import type { ClientCall } from "#app/services/client-api/client-route.server.ts";
import type { Feature } from "#app/services/features/feature.ts";
import type { Services } from "#app/services/http/context.ts";

import { respondToAuthorize, respondToCallback, respondToSso } from "./authorize-request.server.ts";
import { problemRefusal, refusal } from "./client-response.server.ts";
import { respondToChallenge, respondToCode, respondToEnroll, respondToUnenroll } from "./factor-request.server.ts";
import {
  followLink,
  respondToOtp,
  respondToReauthenticate,
  respondToRecover,
  respondToResend,
  respondToVerify,
} from "./mail-request.server.ts";
import { respondToLogout, respondToSignUp, respondToToken } from "./token-request.server.ts";
import { respondToLink, respondToUnlink, respondToUserChange, respondWithUser } from "./user-request.server.ts";

/** `id`: what stands in the path for `*`. */
type Respond = (call: ClientCall, id: string) => Response | Promise<Response>;

/** The paths below /auth/v1, in the dialect of the specification's client. */
const responses: Record<string, Respond> = {
  "GET /.well-known/jwks.json": ({ services }) =>
    Response.json(services.auth.keySet, { headers: { "cache-control": "public, max-age=600" } }),
  "GET /authorize": respondToAuthorize,
  "GET /callback": respondToCallback,
  "GET /health": () => Response.json({ name: "Meishi", description: "Accounts for apps" }),
  "GET /reauthenticate": respondToReauthenticate,
  "GET /settings": ({ services }) => Response.json(describeSettings(services)),
  "GET /user": respondWithUser,
  "GET /user/identities/authorize": respondToLink,
  "GET /verify": followLink,
  "POST /factors": respondToEnroll,
  "POST /factors/*/challenge": respondToChallenge,
  "POST /factors/*/verify": respondToCode,
  "POST /logout": respondToLogout,
  "POST /otp": respondToOtp,
  "POST /recover": respondToRecover,
  "POST /resend": respondToResend,
  "POST /signup": respondToSignUp,
  "POST /sso": respondToSso,
  "POST /token": respondToToken,
  "POST /verify": respondToVerify,
  "PUT /user": respondToUserChange,
  "DELETE /factors/*": respondToUnenroll,
  "DELETE /user/identities/*": respondToUnlink,
};

/** Paths that a browser opens, or that anyone may read. */
const withoutKey = new Set(["/.well-known/jwks.json", "/authorize", "/callback", "/health", "/settings"]);

export const feature: Feature = {
  rawRoutes: [
    clientRoute({
      base: "/auth/v1",
      maxBytes: 20_000,
      isWithoutKey: (path, method) => withoutKey.has(path) || (path === "/verify" && method === "GET"),
      acceptsIncompleteSession: (path) => ["/user", "/logout"].includes(path) || path.startsWith("/factors"),
      toRefusal: problemRefusal,
      handle: respond,
    }),
  ],
};

async function respond(call: ClientCall): Promise<Response> {
  const { path, method } = call;
  const [, start, id = "", rest = ""] = withId.exec(path) ?? [];
  const respondToPath = responses[`${method} ${start === undefined ? path : `${start}/*${rest}`}`];
  if (!respondToPath) throw refusal(404, "validation_failed", "This API has no such path.");
  return respondToPath(call, id);
}

const withId = /^(\/factors|\/user\/identities)\/(?!authorize$)([\w-]{1,100})(\/\w+)?$/;

function describeSettings({ auth, config, mail }: Services) {
  const names = auth.providers.list.map(({ id }) => [id, true] as const);
  const hasEmail = !config.providers.sso?.isOnly;
  return {
    external: { ...Object.fromEntries(names), email: hasEmail },
    disable_signup: !hasEmail || !mail.isConfigured || config.signUp !== "open",
    mailer_autoconfirm: false,
    phone_autoconfirm: false,
  };
}
