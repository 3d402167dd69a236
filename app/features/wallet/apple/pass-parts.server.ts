import { deserialize, serialize } from "node:v8";

import type { Services } from "#app/services/http/context.ts";

import { describePart, passParts } from "#app/features/wallet/pass-content.ts";
import type { PartContent } from "#app/features/wallet/pass-content.ts";
import type { DrawnPart, PassPhotos } from "./pass-images.server.ts";
import { passPartTask } from "./pass-tasks.server.ts";

type PartServices = Pick<Services, "imageCache" | "workers">;

/**
 * The parts of a pass, from memory as far as they were drawn before: a save changes texts more often than images, and many cards share a
 * default background. `readPhotos` is called for a part that has to be drawn.
 */
export async function loadPassParts(
  { imageCache, workers }: PartServices,
  content: PartContent,
  readPhotos: () => Promise<PassPhotos>,
): Promise<DrawnPart[]> {
  const { images, colors } = content;
  let photos: Promise<PassPhotos> | undefined;
  const bodies = await Promise.all(
    passParts.map((part) =>
      imageCache.getPart({
        kind: `Apple pass ${part} 2`,
        content: describePart(part, content),
        draw: async () => {
          photos ??= readPhotos();
          const drawn = await workers.run(passPartTask, { part, content: { images, colors }, photos: await photos });
          return new Uint8Array(serialize(drawn));
        },
      }),
    ),
  );
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what was serialized above
  return bodies.map((body) => deserialize(body) as DrawnPart);
}
