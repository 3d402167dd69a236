import { isFromPerson } from "#app/features/analytics/rules.ts";
import { loadPublicCard } from "#app/features/cards/public-card.server.ts";
import { sourceOf } from "#app/features/sharing/source-marks.ts";
import { avatarVariants } from "#app/features/uploads/image-urls.ts";
import { services, viewer } from "#app/services/http/context.ts";
import type { Services } from "#app/services/http/context.ts";
import { contentDisposition, safeFileName } from "#app/services/http/file-name.ts";
import { fileLoader, rejectWrites } from "#app/services/http/file-route.server.ts";

import type { Route } from "./+types/vcard-route.ts";
import { formatVCard, toVCardContact } from "./vcard.ts";

/** The card as a vCard 3.0 (RFC 2426). A request for it counts as a save. */
export const loader = fileLoader(
  async ({ params, context, request, url }: Route.LoaderArgs) => {
    const { counter, files, log } = services(context);
    const { card, found, ownerId } = await loadPublicCard(context, { params, url });
    const isPerson = isFromPerson(Object.fromEntries(request.headers));
    if (request.method === "GET" && isPerson && viewer(context)?.id !== ownerId) {
      counter.count({ subject: `card:${card.id}`, kind: "save", source: sourceOf(url.search), target: "" });
    }
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

/**
 * The owner's avatar for a contact file, a JPEG in base64. Undefined without an avatar, and when it is missing, unreadable or too
 * large for address books, which is logged: the contact is still useful without a photo.
 */
async function readContactPhoto(
  { files, log }: Pick<Services, "files" | "log">,
  avatarKey: string | null,
): Promise<string | undefined> {
  if (avatarKey === null) return undefined;
  const path = avatarKey + avatarVariants.jpeg;
  try {
    const bytes = await files.read(path);
    if (bytes && bytes.length <= maxPhotoBytes) return Buffer.from(bytes).toString("base64");
    log.warn({ path, bytes: bytes?.length }, "contact file sent without the photo");
  } catch (error) {
    log.error({ err: error, path }, "contact file sent without the photo");
  }
  return undefined;
}

const maxPhotoBytes = 20 * 1024;
