import { redirect } from "react-router";

import { tooManyCallbacksMessage } from "#app/features/account/messages.ts";
import { limits } from "#app/features/account/rules.ts";
import type { Provider } from "#app/services/auth/oauth/providers.server.ts";
import { formatWait } from "#app/services/base/format.ts";
import type { RequestState, Services } from "#app/services/http/context.ts";
import { respondWithForwarding } from "#app/services/http/forward-response.server.ts";
import { networkOf } from "#app/services/http/rate-limits.server.ts";
import { redirectWithToast } from "#app/services/http/toast.server.ts";

import { connectFailure } from "./social-messages.ts";

type ProviderRequest = {
  provider: Provider;
  /** The account to connect. Without one, its user signs in. */
  userId?: string;
  /** The path to open afterwards. */
  returnTo: string | undefined;
  request: Request;
  state: Pick<RequestState, "address">;
  /** The page that says that the provider can't be reached. */
  failurePath: string;
};

/** Begins a request to a provider and opens its page. */
export async function respondWithProviderUrl(services: Services, given: ProviderRequest): Promise<Response> {
  const { request, state, failurePath, ...begun } = given;
  const refused = await refuseTooMany(services, state);
  if (refused) return redirectWithToast(failurePath.split("?")[0] ?? "/auth", { ...refused, tone: "error" });
  const started = await services.auth.beginOAuth({ ...begun, headers: request.headers });
  if (!started) {
    const failure = connectFailure("unreachable", begun.provider.name);
    return begun.userId === undefined
      ? redirect(failurePath)
      : redirectWithToast(failurePath, { ...failure, tone: "error" });
  }
  const headers = new Headers();
  for (const cookie of started.cookies) headers.append("set-cookie", cookie);
  // The script of the sign-in pages opens the address itself.
  if (request.headers.has("meishi-in-place")) return redirect(started.location, { headers });
  return respondWithForwarding(started.location, { name: begun.provider.name, headers });
}

/** Each request stores a row. */
async function refuseTooMany({ rateLimits, clock }: Services, { address }: ProviderRequest["state"]) {
  const refused = await rateLimits.consume([{ limit: limits.oauthStartsFromNetwork, subject: networkOf(address) }]);
  if (!refused) return undefined;
  return tooManyCallbacksMessage(formatWait(refused.until, clock()));
}
