import { drawnStyle } from "#app/features/cards/card-style.ts";
import { findFirstCard } from "#app/features/cards/public-card.server.ts";
import type { LoadedCard } from "#app/features/cards/public-card.server.ts";
import type { Services } from "#app/services/http/context.ts";

import { findPassDesign } from "./data.server.ts";
import { passContent, voidedContent } from "./pass-content.ts";
import type { PassContent, PassIssuer } from "./pass-content.ts";

type ContentServices = Pick<Services, "db" | "config" | "clock" | "siteContent">;

/** What the pass of a public card shows now. */
export async function loadPassContent(
  services: ContentServices,
  { card, found, plan }: Pick<LoadedCard, "card" | "found" | "plan">,
): Promise<PassContent> {
  return passContent({
    card,
    logoKey: found.card.logoKey,
    avatarKey: found.avatarKey,
    colors: drawnStyle(found.card.design, { theme: found.theme, plan }).colors,
    design: await findPassDesign(services.db, card.id),
    plan,
    issuer: issuerOf(services),
  });
}

/** The same by the card's id, for an issued pass: void while visitors can't open the card. */
export async function loadIssuedContent(services: ContentServices, cardId: string): Promise<PassContent> {
  const loaded = await findFirstCard(services, { id: cardId });
  if (loaded) return loadPassContent(services, loaded);
  return voidedContent({ cardId, cardUrl: services.config.baseUrl, issuer: issuerOf(services) });
}

/** This installation, as passes name it. */
export function issuerOf({ config, siteContent }: Pick<ContentServices, "config" | "siteContent">): PassIssuer {
  return { name: siteContent.operator.name || "Meishi", url: config.baseUrl };
}
