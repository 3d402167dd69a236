import type { FunctionResult } from "#app/services/features/server-function.ts";
import type { Services } from "#app/services/http/context.ts";

import { defaultImages, defaultImageUrl } from "./default-image-model.ts";

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
