import type { CardFace, CardPhotos } from "#app/features/sharing/paper-picture.server.ts";
import { avatarForms, logoForms } from "#app/features/uploads/addresses.ts";
import type { Files } from "#app/services/files.server.ts";

import type { ShownContact } from "./contact-shown.ts";
import { fullName } from "./more-fields.ts";
import { workLine } from "./work-line.ts";

/** What a drawn card says: the same as its page. It has room for one number and one address: the first that is shown. */
export function cardFace(card: ShownContact): CardFace {
  const { company, department, position } = card;
  return {
    name: fullName(card.displayName.trim() || "Professional", card),
    company: company ?? "",
    position: [position, department].filter(Boolean).join(" · "),
    work: workLine(card),
    email: card.email ?? card.emails?.[0]?.value ?? "",
    phone: card.phone ?? card.phones?.[0]?.value ?? "",
  };
}

type Stems = { avatarStem: string | null; logoStem: string | null };

/** The owner's picture and the company's logo from the store; a missing file is no picture. */
export async function cardPhotos(files: Pick<Files, "read">, { avatarStem, logoStem }: Stems): Promise<CardPhotos> {
  const [avatar, logo] = await Promise.all([
    avatarStem ? files.read(avatarStem + avatarForms.jpeg) : undefined,
    logoStem ? files.read(logoStem + logoForms.png) : undefined,
  ]);
  return { avatar, logo };
}
