import type { Contact } from "./contact-file.ts";
import type { PublicCard } from "./data.server.ts";
import { cardIn } from "./more-fields.ts";

/**
 * What a card's contact file says: without what its owner keeps for the page alone, and as it was last changed. `photo` is a JPEG in
 * base64.
 */
export function contactOf(
  { card, displayName, bio, changedAt }: Pick<PublicCard, "card" | "displayName" | "bio" | "changedAt">,
  { cardUrl, photo }: { cardUrl: string; photo?: string | undefined },
): Contact {
  const { id, profession, company, position, yearsExperience, links, email, phone, more } = cardIn("file", card);
  const { shown: _, ...rest } = more;
  return {
    ...rest,
    profession,
    company,
    position,
    yearsExperience,
    links,
    email,
    phone,
    displayName,
    bio,
    cardUrl,
    photo,
    uid: id,
    updatedAt: changedAt,
  };
}
