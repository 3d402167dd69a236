import { fileUrl, logoForms } from "#app/features/uploads/addresses.ts";
import { avatarPicture } from "#app/features/uploads/pictures.ts";

import type { CardChange } from "./data.server.ts";
import { addressWords, cardIn } from "./more-fields.ts";
import type { Reach } from "./more-fields.ts";
import type { PrintedCard } from "./paper-card.tsx";

/** What a card's page shows of how to reach somebody. Empty fields are null. */
export type ShownContact = PrintedCard & {
  /** Beside `email` and `phone`, which are those of work. */
  emails?: readonly Reach[];
  phones?: readonly Reach[];
  website?: string | null;
  /** Lines as on a letter; none where there is no address. */
  address?: readonly string[];
  links: readonly { id: string; name: string; url: string }[];
};

/** A card as its page shows it: without what its owner keeps for the contact file alone. */
export function shownContact(
  card: CardChange,
  { displayName, logoStem, avatarStem }: { displayName: string; logoStem: string | null; avatarStem: string | null },
): ShownContact {
  const { email, phone, more, ...rest } = cardIn("page", card);
  return {
    displayName,
    picture: avatarPicture(avatarStem),
    profession: rest.profession || null,
    company: rest.company || null,
    position: rest.position || null,
    yearsExperience: rest.yearsExperience,
    email: email || null,
    phone: phone || null,
    prefix: more.prefix || null,
    suffix: more.suffix || null,
    pronouns: more.pronouns || null,
    department: more.department || null,
    logo: logoStem && fileUrl(logoStem, logoForms.webp),
    emails: more.emails,
    phones: more.phones,
    website: more.website || null,
    address: addressWords(more.address),
    links: rest.links,
  };
}
