import { redirect } from "react-router";

import { findSignedInPath } from "#app/features/account/data.server.ts";
import { messages } from "#app/features/account/messages.ts";
import { authPath, firstPath, connectedPath, verifyPath } from "#app/services/auth/return-to.ts";
import type { OAuthResult } from "#app/services/auth/oauth/oauth-callbacks.server.ts";
import type { Services } from "#app/services/http/context.ts";
import { logSecurityEvent } from "#app/services/http/request-log.server.ts";
import { redirectWithToast } from "#app/services/http/toast.server.ts";

import { connectionOfferCookie } from "./offer-data.server.ts";
import { connectFailure, socialMessages } from "./social-messages.ts";

type CallbackRequest = {
  provider: string;
  parameters: URLSearchParams;
  address: string;
  headers: Headers;
};

/** Finishes a request to a provider, and redirects to the page that says how it ended. */
export async function respondToCallback(services: Services, request: CallbackRequest): Promise<Response> {
  const { auth, log } = services;
  const found = await auth.findViewer(request.headers);
  // Only the PIN or the password takes a phone back that was handed over, not the provider that its owner is signed in to.
  if (found.handedOver) return redirect("/");
  const findViewerId = async () => (await auth.findViewer(request.headers)).viewer?.id;
  const viewerId = found.viewer?.id;
  const result = await auth.finishOAuth({ ...request, findViewerId });
  if (result.kind === "signed-in") logSecurityEvent(log, { event: "signed-in", account: result.userId });
  if (result.kind === "failed") logSecurityEvent(log, { event: "sign-in-refused", account: viewerId });
  const response = await toResponse(services, result, viewerId);
  response.headers.set("cache-control", "no-store");
  return response;
}

async function toResponse(services: Services, result: OAuthResult, viewerId: string | undefined): Promise<Response> {
  switch (result.kind) {
    case "unknown-state":
      return redirect("/auth?error=state_mismatch");
    case "second-factor":
      return redirect(verifyPath(result.returnTo), { headers: cookieHeaders(result.cookies) });
    case "signed-in": {
      const path = result.returnTo ?? (result.isNew ? firstPath : await findSignedInPath(services, result.userId));
      return redirectWithToast(path, { title: messages.signedIn, tone: "success" }, cookieHeaders(result.cookies));
    }
    case "connected": {
      const headers = cookieHeaders([connectionOfferCookie(services, { ...result, userId: viewerId ?? "" })]);
      const title = socialMessages.connected(providerName(services, result.provider));
      return redirectWithToast(result.returnTo ?? connectedPath, { title, tone: "success" }, headers);
    }
    case "failed":
      return respondToFailure(services, result);
  }
}

function respondToFailure(services: Services, { reason, provider, returnTo, ...rest }: Failure): Response {
  if (rest.isConnecting) {
    const failure = connectFailure(reason, providerName(services, provider));
    return redirectWithToast(returnTo ?? connectedPath, { ...failure, tone: "error" });
  }
  // After signing in with the password, the owner can connect the provider at once.
  const next = reason === "account_exists" ? connectionsPath : returnTo;
  return redirect(authPath(next, { error: reason, provider }));
}

type Failure = Extract<OAuthResult, { kind: "failed" }>;

/** The page of the accounts with which the user can sign in. */
const connectionsPath = "/account/connections";

function providerName({ auth }: Services, id: string): string {
  return auth.providers.find(id)?.name ?? id;
}

function cookieHeaders(cookies: string[]): Headers {
  return new Headers(cookies.map((cookie): [string, string] => ["set-cookie", cookie]));
}
