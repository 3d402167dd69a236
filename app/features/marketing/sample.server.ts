import { drawAvatar } from "#app/features/avatar/drawing.ts";
import { backgrounds, defaultOptions } from "#app/features/avatar/rules.ts";
import { plans } from "#app/features/billing/rules.ts";
import { defaultDesign } from "#app/features/cards/card-design.ts";
import { emptyOptionalFields } from "#app/features/cards/card-fields.ts";
import { createCard, deleteCard, findOwnCard, listCards, saveCard } from "#app/features/cards/data.server.ts";
import type { CardInput } from "#app/features/cards/schema.ts";
import {
  deleteProfile,
  ensureProfile,
  findProfile,
  markAsSample,
  saveProfile,
} from "#app/features/profile/data.server.ts";
import type { ProfileChange } from "#app/features/profile/data.server.ts";
import { removeAssetsOfOwner, storeAsset } from "#app/features/uploads/data.server.ts";
import { transact } from "#app/services/database/database.server.ts";
import type { Services } from "#app/services/http/context.ts";
import { rasterizeTask } from "#app/services/images/rasterize-task.server.ts";

import { sampleName } from "./landing/hero/showcase.ts";

/** No account has this id, so no one can sign in as the sample. */
const ownerId = "demo-user";
const cardId = "demo-card";

/** Creates the sample profile and its card if they are missing, through the functions that save a user's own. */
export async function ensureSample(
  services: Pick<Services, "db" | "events" | "jobs" | "rateLimits">,
  now: number,
): Promise<void> {
  const found = await ensureProfile(services, { id: ownerId, email: "maya@example.com", now });
  const { version, displayName } = found;
  if (version === 1 || displayName === formerName)
    await saveProfile(services, { ownerId, version, change: profile, now });
  await markAsSample(services, ownerId);
  await createCard(services, { ownerId, plan: plans.free, id: cardId, change: card, now });
  if (displayName === formerName) await replaceFormerCard(services, now);
  // Drawn after the start, which it would delay.
  if (found.avatarKey === null) await services.jobs.enqueue(services.db, sampleFaceJob, {});
}

/** The sample's name in earlier versions. */
const formerName = "Demo User";

async function replaceFormerCard(services: Pick<Services, "db" | "events">, now: number): Promise<void> {
  const former = await findOwnCard(services.db, { ownerId, id: cardId });
  if (former) await saveCard(services, { ownerId, id: cardId, version: former.version, change: card, now });
}

export const sampleFaceJob = "sample-face";

/** Draws the sample's face, once. */
export async function addSampleFace(services: Services): Promise<void> {
  const found = await findProfile(services.db, ownerId);
  if (!found?.isSample || found.avatarKey !== null) return;
  const options = { ...defaultOptions(faceSeed), backgroundColor: [backgrounds[3]], mouth: ["smile"] };
  const drawing = { svg: drawAvatar(options).svg, width: 768 };
  const upload = await services.workers.run(rasterizeTask, drawing);
  const avatarOptions = JSON.stringify(options);
  const stored = await storeAsset(services, { ownerId, slot: "avatar", upload: new Uint8Array(upload), avatarOptions });
  if (stored.kind === "refused") throw new Error(`The sample's face was not stored: ${stored.message}`);
}

const faceSeed = "maya";

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
