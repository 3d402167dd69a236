import { z } from "zod";

import { findPlan } from "#app/features/billing/data.server.ts";
import { findOwnCard } from "#app/features/cards/data.server.ts";
import { listPassImages } from "#app/features/uploads/data.server.ts";
import { passImageUrl } from "#app/features/uploads/image-urls.ts";
import { messages } from "#app/features/wallet/design/messages.ts";
import { isTint } from "#app/features/wallet/design/pass-form.ts";
import { functionError } from "#app/services/features/server-function.ts";
import type { FunctionCall, FunctionResult } from "#app/services/features/server-function.ts";
import type { Services } from "#app/services/http/context.ts";

import { defaultImages, defaultImageUrl, findDefaultImage, uploadedImageUrl } from "./default-image-model.ts";

/** `get-default-images`: our own backgrounds, with full addresses. */
export async function listDefaultImages({ config }: Services): Promise<FunctionResult> {
  const images = defaultImages.map(({ id, name, description }) => ({
    id,
    name,
    description,
    urls: { raw: config.baseUrl + defaultImageUrl(id, "raw"), small: config.baseUrl + defaultImageUrl(id, "small") },
  }));
  return { body: images };
}

const tintRequest = z.object({ imageUrl: z.string(), tintColor: z.string(), cardId: z.string() }).partial();

/**
 * `tint-image`: the address of one of our images under a color. The requested image must be on this site; nothing is fetched. The
 * owner is the caller: `userId` is ignored.
 */
export async function tintImage(services: Services, { user, input }: FunctionCall): Promise<FunctionResult> {
  const { imageUrl = "", tintColor = "", cardId = "" } = tintRequest.catch({}).parse(input);
  if (imageUrl === "") return functionError(400, messages.noOriginal);
  const tint = tintColor.toLowerCase();
  const { baseUrl } = services.config;
  const address = await findTintedAddress(services, { ownerId: user.id, imageUrl, tint });
  if (address === undefined || !isTint(tint) || tint === "") return functionError(400, messages.tintFailed);
  if (!(await findOwnCard(services.db, { ownerId: user.id, id: cardId }))) return functionError(404, messages.gone);
  const plan = await findPlan(services, user.id);
  if (!plan.hasOwnPassImages) return functionError(403, messages.premium);
  return { body: { newUrl: baseUrl + address } };
}

/** The path at which an image is tinted: one of ours, or one that the owner uploaded. */
async function findTintedAddress(
  { db, config }: Services,
  { ownerId, imageUrl, tint }: { ownerId: string; imageUrl: string; tint: string },
): Promise<string | undefined> {
  const url = URL.parse(imageUrl, config.baseUrl);
  if (!isTint(tint) || url?.origin !== new URL(config.baseUrl).origin) return undefined;
  const [, id = ""] = /^\/pass-images\/([a-z]+)\.jpg$/.exec(url.pathname) ?? [];
  if (findDefaultImage(id)) return defaultImageUrl(id, "raw", tint);
  const images = await listPassImages(db, ownerId);
  const own = images.find(({ kind, keyPrefix }) => passImageUrl(kind, keyPrefix).startsWith(`${url.pathname}?`));
  return own?.kind === "background" ? uploadedImageUrl(own.keyPrefix, tint) : undefined;
}
