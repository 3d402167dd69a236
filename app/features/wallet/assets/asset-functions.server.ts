import { z } from "zod";

import { findPlan } from "#app/features/billing/data.server.ts";
import { findOwnCard } from "#app/features/cards/data.server.ts";
import { messages } from "#app/features/wallet/design/messages.ts";
import { isTint } from "#app/features/wallet/design/pass-form.ts";
import { functionError } from "#app/services/features/server-function.ts";
import type { FunctionCall, FunctionResult } from "#app/services/features/server-function.ts";
import type { Services } from "#app/services/http/context.ts";

import { defaultImages, defaultImageUrl, findDefaultImage } from "./default-image-model.ts";

/** `get-default-images`: our own backgrounds, with full addresses. */
export async function listDefaultImages({ config }: Services): Promise<FunctionResult> {
  const images = defaultImages.map(({ id, name, description }) => ({
    id,
    name,
    description,
    urls: { raw: config.baseUrl + defaultImageUrl(id, "raw"), small: config.baseUrl + defaultImageUrl(id, "small") },
  }));
  return { body: { images } };
}

const tintRequest = z.object({ imageUrl: z.string(), tintColor: z.string(), cardId: z.string() }).partial();

/**
 * `tint-image`: the address of one of our images under a color. The image that is asked for must be on this site; nothing is fetched. The
 * owner is the caller: `userId` is ignored.
 */
export async function tintImage(services: Services, { user, input }: FunctionCall): Promise<FunctionResult> {
  const { imageUrl = "", tintColor = "", cardId = "" } = tintRequest.catch({}).parse(input);
  if (imageUrl === "") return functionError(400, messages.noOriginal);
  const tint = tintColor.toLowerCase();
  const imageId = findImageId(imageUrl, services.config.baseUrl);
  if (imageId === undefined || !isTint(tint) || tint === "") return functionError(400, messages.tintFailed);
  if (!(await findOwnCard(services.db, { ownerId: user.id, id: cardId }))) return functionError(404, messages.gone);
  const plan = await findPlan(services, user.id);
  if (!plan.hasOwnPassImages) return functionError(403, messages.premium);
  return { body: { newUrl: services.config.baseUrl + defaultImageUrl(imageId, "raw", tint) } };
}

/** The id of the image that one of our addresses shows. */
function findImageId(url: string, baseUrl: string): string | undefined {
  const parsed = URL.parse(url, baseUrl);
  if (parsed?.origin !== new URL(baseUrl).origin) return undefined;
  const [, id = ""] = /^\/pass-images\/([a-z]+)\.jpg$/.exec(parsed.pathname) ?? [];
  return findDefaultImage(id)?.id;
}
