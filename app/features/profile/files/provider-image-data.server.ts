import { z } from "zod";

import { ensureProfile, findProfile } from "#app/features/profile/data.server.ts";
import { storeAsset } from "#app/features/uploads/data.server.ts";
import { maxUploadBytes } from "#app/features/uploads/rules.ts";
import { findAddress } from "#app/services/auth/user-rows.server.ts";
import type { Services } from "#app/services/http/context.ts";

const imageJob = z.object({ ownerId: z.string(), name: z.string(), url: z.string() });

/** The job that fetches the image of a new user once. An image that can't be used is left out: the owner can upload one. */
export async function storeFirstImage(services: Services, payload: unknown): Promise<void> {
  const { ownerId, name, url } = imageJob.parse(payload);
  const user = await findAddress(services.db, ownerId);
  if (!user) return;
  const existing = await findProfile(services.db, ownerId);
  if (existing?.avatarKey) return;
  const owner = { id: ownerId, name, email: user.email, now: services.clock() };
  if (existing || (await ensureProfile(services, owner))) await storeImageFrom(services, { ownerId, url });
}

/** Fetches an image and makes it the avatar. Returns whether it could. */
export async function storeImageFrom(
  services: Services,
  { ownerId, url }: { ownerId: string; url: string },
): Promise<boolean> {
  const upload = await services.fetchPublicFile(url, { maxBytes: maxUploadBytes });
  if (!upload) {
    services.log.warn({ account: ownerId }, "the image of a provider could not be fetched");
    return false;
  }
  const stored = await storeAsset(services, { ownerId, slot: "avatar", upload });
  return stored.kind === "stored";
}
