import { data, isRouteErrorResponse } from "react-router";

import { messages } from "#app/features/cards/messages.ts";
import { loadPublicCard } from "#app/features/cards/public-card.server.ts";
import { MessageView } from "#app/features/shell/message-view.tsx";
import { walletMessages } from "#app/features/wallet/messages.ts";
import { findSigner } from "#app/services/config/apple-passes.server.ts";
import { services } from "#app/services/http/context.ts";

import type { Route } from "./+types/problem-page.ts";

/** Why a browser without script got no pass for Apple Wallet, and what to do instead. */
export async function loader({ params, context, url }: Route.LoaderArgs) {
  const { applePasses, clock } = services(context);
  const { card } = await loadPublicCard(context, { params, url });
  const canRetry = findSigner(applePasses, clock()) !== undefined;
  const headers = { "cache-control": "no-store", "x-robots-tag": "noindex", ...(canRetry && { "retry-after": "3" }) };
  return data({ canRetry, path: card.path }, { status: canRetry ? 503 : 404, headers });
}

export function headers({ loaderHeaders }: Route.HeadersArgs) {
  return loaderHeaders;
}

export function meta({ loaderData }: Route.MetaArgs) {
  return [
    { title: loaderData ? walletMessages.failed : messages.notFound.title },
    { name: "robots", content: "noindex" },
  ];
}

export default function ProblemPage({ loaderData: { canRetry, path } }: Route.ComponentProps) {
  return canRetry ? (
    <MessageView
      title={walletMessages.failed}
      text="The pass couldn’t be made. Try again in a moment."
      action={{ href: `${path}/pass.pkpass`, label: "Try again" }}
    />
  ) : (
    <MessageView
      title={walletMessages.failed}
      text="This site can’t make wallet passes right now. You can save the contact instead."
      action={{ href: `${path}/contact.vcf`, label: "Save Contact" }}
    />
  );
}

/** A visitor can't tell an unknown card from a private or paused one. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  if (!isRouteErrorResponse(error) || error.status !== 404) throw error;
  return <MessageView {...messages.notFound} action={{ href: "/", label: "Go to the home page" }} />;
}
