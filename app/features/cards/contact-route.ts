import { isCounted } from "#app/features/analytics/rules.ts";
import { sourceOf } from "#app/features/sharing/source-marks.ts";
import { services, viewer } from "#app/services/context.ts";

import type { Route } from "./+types/contact-route.ts";
import { contactFile, contactFileName } from "./contact-file.ts";
import { loadPublicCard } from "./public-card.server.ts";

/** The card as a contact file (vCard 3.0, RFC 2426). Fetching it is what we count as a save. */
export async function loader({ params, context, request, url }: Route.LoaderArgs) {
  const { counter } = services(context);
  const { card, found, ownerId } = await loadPublicCard(context, params.id);
  const isPerson = isCounted(Object.fromEntries(request.headers));
  if (request.method === "GET" && isPerson && viewer(context)?.id !== ownerId) {
    counter.count({ subject: `card:${card.id}`, kind: "save", source: sourceOf(url.search), target: "" });
  }
  const file = contactFile({
    ...card,
    uid: card.id,
    updatedAt: found.card.updatedAt,
  });
  return new Response(file, {
    headers: {
      "content-type": "text/vcard; charset=utf-8",
      "content-disposition": contactFileName(card.displayName).header,
      "cache-control": "no-cache",
    },
  });
}
