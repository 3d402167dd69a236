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
import { removeAssetsOfOwner, storePreparedAsset } from "#app/features/uploads/data.server.ts";
import { avatarVariants } from "#app/features/uploads/image-urls.ts";
import { transact } from "#app/services/database/database.server.ts";
import type { Services } from "#app/services/http/context.ts";

import { sampleName } from "./landing/hero/showcase.ts";
import { sampleAvatarOptions } from "./sample-avatar/avatar-data.ts";
import jpegAvatar from "./sample-avatar/avatar.jpg?inline";
import smallAvatar from "./sample-avatar/avatar_192.webp?inline";
import largeAvatar from "./sample-avatar/avatar_384.webp?inline";

/** No account has this id, so no one can sign in as the sample. */
const ownerId = "demo-user";
const cardId = "demo-card";

/** Creates the sample profile and its card if they are missing, through the functions that save a user's own. */
export async function ensureSample(
  services: Pick<Services, "db" | "events" | "jobs" | "rateLimits">,
  now: number,
): Promise<void> {
  const found = await ensureProfile(services, { id: ownerId, email: "maya@example.com", now });
  if (found.version === 1) await saveProfile(services, { ownerId, version: 1, change: profile, now });
  await markAsSample(services, ownerId);
  await createCard(services, { ownerId, plan: plans.free, id: cardId, change: card, now });
  // Stored after the start, which it would delay.
  if (found.avatarKey === null) await services.jobs.enqueue(services.db, sampleAvatarJob, {});
}

export const sampleAvatarJob = "sample-face";

/** Gives the sample its photo, once. It is a file of the program: drawing it would load the image libraries into every new process. */
export async function addSampleAvatar(services: Omit<Services, "workers">): Promise<void> {
  const found = await findProfile(services.db, ownerId);
  if (!found?.isSample || found.avatarKey !== null) return;
  const avatarOptions = JSON.stringify(sampleAvatarOptions);
  const stored = await storePreparedAsset(services, {
    ownerId,
    slot: "avatar",
    files: avatarFiles,
    avatarOptions,
  });
  if (stored.kind === "refused") throw new Error(`The sample’s avatar was not stored: ${stored.message}`);
}

const avatarFiles = [
  { suffix: avatarVariants.small, type: "image/webp", url: smallAvatar },
  { suffix: avatarVariants.large, type: "image/webp", url: largeAvatar },
  { suffix: avatarVariants.jpeg, type: "image/jpeg", url: jpegAvatar },
].map(({ suffix, type, url }) => {
  const body = Buffer.from(url.slice(url.indexOf(",") + 1), "base64");
  return { suffix, type, bytes: body.length, body };
});

/** Removes the sample where DEMO is off. */
export async function removeSample(services: Pick<Services, "db" | "events" | "jobs">): Promise<void> {
  const found = await findProfile(services.db, ownerId);
  if (!found?.isSample) return;
  await transact(services.db, (trx) => removeAssetsOfOwner(trx, services.jobs, ownerId));
  for (const { id } of await listCards(services.db, ownerId)) await deleteCard(services, { ownerId, id });
  await deleteProfile(services, ownerId);
}

const profile: ProfileChange = {
  displayName: sampleName,
  bio: "Product designer at Northlight Studio. I make small things that people keep using.",
  theme: "default",
  showBusinessCard: true,
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
  company: "Northlight Studio",
  position: "",
  email: "maya@example.com",
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
