import { maxArchiveBytes } from "#app/features/links/import-file.ts";
import type { DataExport, ExportedFile, ExportSource } from "#app/services/features/data-export.ts";
import type { Feature } from "#app/services/features/feature.ts";
import { functionError } from "#app/services/features/server-function.ts";
import { safeFileName } from "#app/services/http/file-name.ts";
import { formBytes } from "#app/services/http/form-body.ts";

import { cardResource } from "./api/card-resource.server.ts";
import { cardPath } from "./address-rules.ts";
import { displayLogo, findOwnCard, listCards } from "./data.server.ts";
import type { Card } from "./schema.ts";
import { readContactPhoto } from "./vcard/contact-image.server.ts";
import { formatVCard, toVCardContact } from "./vcard/vcard.ts";

const cardsExport: DataExport = {
  tables: ["card"],
  explanations: [
    {
      name: "contacts/",
      text: "Each card as a contact file (vCard), as visitors save it. Phones and address books open it.",
    },
  ],
  sections: ({ db, ownerId, baseUrl }) => ({
    cards: async () => {
      const cards = await listCards(db, ownerId);
      return cards.map((card) => ({ ...card, url: baseUrl + cardPath(card) }));
    },
  }),
  listFiles: async (source) => {
    const cards = await listCards(source.db, source.ownerId);
    return cards.map((card) => contactFile(source, card));
  },
};

/** The contact file of a card, also of one that no visitor can open. */
function contactFile({ db, files, log, ownerId, baseUrl }: ExportSource, card: Card): ExportedFile {
  return {
    name: `contacts/${safeFileName(card.cardName, { extension: "vcf", otherwise: "card" })}`,
    open: async () => {
      const owner = await db
        .selectFrom("profile")
        .select(["display_name", "bio", "avatar_key_prefix", "updated_at"])
        .where("owner_id", "=", ownerId)
        .executeTakeFirst();
      if (!owner) return undefined;
      const changedAt = Math.max(card.updatedAt, owner.updated_at);
      const photo = await readContactPhoto({ files, log }, owner.avatar_key_prefix);
      const found = { card, displayName: owner.display_name, bio: owner.bio, changedAt };
      return Buffer.from(formatVCard(toVCardContact(found, { cardUrl: baseUrl + cardPath(card), photo })));
    },
  };
}

export const feature: Feature = {
  resources: [cardResource],
  functions: [
    {
      // For editors, which are notified of a save elsewhere.
      name: "card-version",
      method: "GET",
      run: async ({ db }, { user, query }) => {
        const card = await findOwnCard(db, { ownerId: user.id, id: query.get("card") ?? "" });
        return card ? { body: { version: card.version } } : functionError(404, "There is no such card.");
      },
    },
  ],
  bodyLimits: [
    { path: "/cards", maxBytes: formBytes.editors },
    { path: "/cards/import", maxBytes: maxArchiveBytes },
  ],
  dataExport: cardsExport,
  displays: { logo: displayLogo },
  publicPages: ["/c/:code", "/card/:id", "/u/:owner/card"],
  offline: { pages: ["/cards", "/cards/*", "/card/*", "/c/*"] },
};
