import { isCounted } from "#app/features/analytics/rules.ts";
import { sourceOf } from "#app/features/sharing/source-marks.ts";
import { services, viewer } from "#app/services/context.ts";
import { disposition, safeFileName } from "#app/services/file-name.ts";
import { fileLoader, refuseWrites } from "#app/services/file-route.server.ts";

import type { Route } from "./+types/contact-route.ts";
import { contactFile } from "./contact-file.ts";
import { contactOf } from "./contact-of.ts";
import { readContactPhoto } from "./contact-photo.server.ts";
import { loadPublicCard } from "./public-card.server.ts";

/** The card as a contact file (vCard 3.0, RFC 2426). Fetching it is what we count as a save. */
export const loader = fileLoader(async ({ params, context, request, url }: Route.LoaderArgs) => {
  const { counter, files, log } = services(context);
  const { card, found, ownerId } = await loadPublicCard(context, params.id);
  const isPerson = isCounted(Object.fromEntries(request.headers));
  if (request.method === "GET" && isPerson && viewer(context)?.id !== ownerId) {
    counter.count({ subject: `card:${card.id}`, kind: "save", source: sourceOf(url.search), target: "" });
  }
  const photo = await readContactPhoto({ files, log }, found.avatarStem);
  const file = contactFile(contactOf(found, { cardUrl: card.cardUrl, photo }));
  const name = safeFileName(card.displayName, { extension: "vcf", otherwise: "contact" });
  return new Response(file, {
    headers: {
      "content-type": "text/vcard; charset=utf-8",
      // Inline: an iPhone then shows the contact with its "Create New Contact" at once, where an attachment is filed among the downloads;
      // other systems save it either way.
      "content-disposition": disposition("inline", name, "contact"),
      "cache-control": "no-cache",
      // The page may be found, its contact only on it.
      "x-robots-tag": "noindex",
    },
  });
});

export { refuseWrites as action };
