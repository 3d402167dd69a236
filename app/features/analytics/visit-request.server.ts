import type { RouterContextProvider } from "react-router";

import { requestContext, services, viewer } from "#app/services/http/context.ts";
import type { CountEvent } from "#app/services/http/context.ts";

import { isCounted } from "./rules.ts";

type LoaderRequest = { context: Readonly<RouterContextProvider>; request: Request; url: URL };
type CardEvent = { ownerId: string; cardId: string; kind: CountEvent["kind"]; source?: string };

/** Counts what the request of a loader does with a card, unless a program or the owner sent it. */
export function countCardEvent(
  { context, request, url }: LoaderRequest,
  { ownerId, cardId, kind, source = "" }: CardEvent,
): void {
  const headers = Object.fromEntries(request.headers);
  if (!isCounted({ method: request.method, headers, viewerId: viewer(context)?.id }, ownerId)) return;
  const { address } = context.get(requestContext);
  const event = { ownerId, subject: `card:${cardId}`, kind, source, target: "" };
  services(context).counter.count(event, { headers, search: url.search, address });
}
