import type { PassPhotos } from "#app/features/wallet/apple/pass-images.server.ts";
import type { PassContent } from "#app/features/wallet/pass-content.ts";
import type { WorkerTask } from "#app/services/workers/worker-task.server.ts";

export type GoogleImageInput = {
  kind: "hero" | "logo";
  content: Pick<PassContent, "images" | "colors">;
  photos: PassPhotos;
};

/** Draws an image of a pass in Google Wallet: the hero as JPEG, the logo as PNG. */
export const googleImageTask: WorkerTask<GoogleImageInput, Uint8Array> = {
  name: "Google Wallet image",
  run: async ({ kind, content, photos }) => {
    const { drawHero, drawGoogleLogo } = await import("./google-images.server.ts");
    return kind === "hero" ? drawHero(content, photos) : drawGoogleLogo(content, photos);
  },
};
