import { plans } from "#app/features/billing/rules.ts";
import { defaultDesign } from "#app/features/cards/card-design.ts";
import { emptyOptionalFields } from "#app/features/cards/card-fields.ts";
import { createCard, deleteCard, listCards } from "#app/features/cards/data.server.ts";
import type { CardInput } from "#app/features/cards/schema.ts";
import {
  deleteProfile,
  ensureProfile,
  findProfile,
  markAsSample,
  saveProfile,
} from "#app/features/profile/data.server.ts";
import type { ProfileChange } from "#app/features/profile/data.server.ts";
import type { Services } from "#app/services/http/context.ts";

/** No account has this id, so no one can sign in as the sample. */
const ownerId = "demo-user";
const cardId = "demo-card";

/** Creates the sample profile and its card if they are missing, through the functions that save a user's own. */
export async function ensureSample(services: Pick<Services, "db" | "events">, now: number): Promise<void> {
  const { version } = await ensureProfile(services, { id: ownerId, email: "demo@example.com", now });
  if (version === 1) await saveProfile(services, { ownerId, version, change: profile, now });
  await markAsSample(services, ownerId);
  await createCard(services, { ownerId, plan: plans.free, id: cardId, change: card, now });
}

/** Removes the sample where DEMO is off. */
export async function removeSample(services: Pick<Services, "db" | "events" | "jobs">): Promise<void> {
  const found = await findProfile(services.db, ownerId);
  if (!found?.isSample) return;
  for (const { id } of await listCards(services.db, ownerId)) await deleteCard(services, { ownerId, id });
  await deleteProfile(services, ownerId);
}

const profile: ProfileChange = {
  displayName: "Demo User",
  bio: "Product designer. I make small things that people keep using.",
  theme: "default",
  showBusinessCard: true,
  contactCardId: "",
  handle: "",
  links: [
    { id: "linkedin", label: "LinkedIn", url: "https://www.linkedin.com/in/demo", on: true },
    { id: "github", label: "GitHub", url: "https://github.com/demo", on: true },
    { id: "portfolio", label: "Portfolio", url: "https://example.com/portfolio", on: true },
    { id: "instagram", label: "Instagram", url: "https://www.instagram.com/demo", on: true },
    { id: "playlist", label: "What I listen to", url: "https://open.spotify.com/playlist/demo", on: true },
  ].map((link) => ({ ...link, kind: "link" as const, from: null, until: null, tab: null })),
  isListed: true,
};

const card: CardInput = {
  cardName: "My Business Card",
  profession: "Product designer",
  company: "Example Studio",
  position: "",
  email: "demo@example.com",
  phone: "+1 555 0100",
  yearsExperience: 8,
  links: [
    { id: "linkedin", name: "LinkedIn", url: "https://www.linkedin.com/in/demo" },
    { id: "portfolio", name: "Portfolio", url: "https://example.com/portfolio" },
  ],
  isPublic: true,
  design: defaultDesign,
  ...emptyOptionalFields(),
};
