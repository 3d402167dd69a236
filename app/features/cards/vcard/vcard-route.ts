import { countCardEvent } from "#app/features/analytics/counting/counter.server.ts";
import { loadPublicCard } from "#app/features/cards/public-card.server.ts";
import { services } from "#app/services/http/context.ts";
import { contentDisposition, safeFileName } from "#app/services/http/file-name.ts";
import { fileLoader, rejectWrites } from "#app/services/http/file-route.server.ts";

import type { Route } from "./+types/vcard-route.ts";
import { readContactPhoto } from "./contact-image.server.ts";
import { formatVCard, toVCardContact } from "./vcard.ts";

/** The card as a vCard 3.0 (RFC 2426). A request for it counts as a save. */
export const loader = fileLoader(
  async ({ params, context, request, url }: Route.LoaderArgs) => {
    const { files, log } = services(context);
    const { card, found, ownerId } = await loadPublicCard(context, { params, url });
    countCardEvent({ context, request, url }, { ownerId, cardId: card.id, kind: "save" });
    const photo = await readContactPhoto({ files, log }, found.avatarKey);
    const file = formatVCard(toVCardContact(found, { cardUrl: card.cardUrl, photo }));
    const name = safeFileName(card.displayName, { extension: "vcf", otherwise: "contact" });
    return new Response(file, {
      headers: {
        "content-type": "text/vcard; charset=utf-8",
        // Inline: an iPhone opens the contact at once, but stores an attachment among its downloads. Other systems
        // save it either way.
        "content-disposition": contentDisposition("inline", name, "contact"),
        "cache-control": "no-cache",
        // Search engines may list the page, but not its contact file.
        "x-robots-tag": "noindex",
      },
    });
  },
  { isOpenedByVisitors: true },
);

export { rejectWrites as action };
