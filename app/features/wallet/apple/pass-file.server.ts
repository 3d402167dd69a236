import { createHash } from "node:crypto";

import {
  avatarVariants,
  logoVariants,
  passBackgroundVariants,
  passLogoVariants,
} from "#app/features/uploads/image-urls.ts";
import { issuePass } from "#app/features/wallet/data.server.ts";
import { drawDefaultImage } from "#app/features/wallet/assets/default-image-drawing.ts";
import type { PassContent } from "#app/features/wallet/pass-content.ts";
import { findSigner } from "#app/services/config/apple-passes.server.ts";
import type { Services } from "#app/services/http/context.ts";

import type { PassPhotos } from "./pass-images.server.ts";
import { loadPassParts } from "./pass-parts.server.ts";
import { applePassTask } from "./pass-tasks.server.ts";

export const applePassType = "application/vnd.apple.pkpass";

export type ApplePass = {
  /** When the certificate ends that signs it, in epoch milliseconds. */
  expiresAt: number;
  etag: string;
  /** When something visible last changed, in epoch milliseconds. */
  changedAt: number;
  /** The .pkpass file from the cache, or a new one. "busy": too many images and passes are being made. */
  read: () => Promise<Uint8Array<ArrayBuffer> | "busy">;
};

type PassServices = Pick<
  Services,
  "db" | "config" | "clock" | "signForever" | "files" | "imageCache" | "workers" | "applePasses"
>;

/**
 * The pass of a card for Apple Wallet; undefined where passes aren't configured. Passes are cached by what they show, so that a change
 * of the card or its design is another file. `requestedBy`: the client's network address.
 */
export async function loadApplePass(
  services: PassServices,
  { content, ownerId, requestedBy }: { content: PassContent; ownerId: string; requestedBy: string },
): Promise<ApplePass | undefined> {
  const { imageCache, workers, config, clock } = services;
  const signer = findSigner(services.applePasses, clock());
  if (!signer) return undefined;
  const { authenticationToken, changedAt } = await issuePass(services, {
    cardId: content.cardId,
    ownerId,
    contentHash: contentHash(content),
  });
  const options = { authenticationToken, serviceUrl: serviceUrl(config.baseUrl) };
  const image = { kind: "Apple pass 2", content: [content, options, signer.certificate] };
  return {
    expiresAt: signer.expiresAt,
    etag: imageCache.etagOf(image),
    changedAt,
    read: async () => {
      const pass = await imageCache.get({
        ...image,
        ownerId,
        requestedBy,
        queue: "long",
        draw: async () => {
          const parts = await loadPassParts(services, content, () => readPhotos(services.files, content.images));
          const body = await workers.run(applePassTask, { content, parts, options, signer, now: clock() });
          return { body: new Uint8Array(body), type: applePassType };
        },
      });
      return pass === "busy" ? pass : pass.body;
    },
  };
}

/** Of all that a pass shows, as in the column `content_hash`. */
export function contentHash(content: PassContent): string {
  return createHash("sha256").update(JSON.stringify(content)).digest("base64url");
}

/** Apple adds "/v1/…" to it. Devices load updates over https only. */
function serviceUrl(baseUrl: string): string | undefined {
  return baseUrl.startsWith("https:") ? `${baseUrl}/passkit` : undefined;
}

/** The images that a pass shows. */
export async function readPhotos(files: Services["files"], images: PassContent["images"]): Promise<PassPhotos> {
  const { avatarKey, logo, background } = images;
  const [avatar, logoImage, backgroundImage] = await Promise.all([
    avatarKey === null ? undefined : files.read(avatarKey + avatarVariants.jpeg),
    logo.kind === "card" ? files.read(logo.key + logoVariants.png) : undefined,
    background.kind === "asset" ? files.read(background.key + passBackgroundVariants.jpeg) : undefined,
  ]);
  const ownLogo = logo.kind === "asset" ? await files.read(logo.key + passLogoVariants.png) : logoImage;
  const drawing = background.kind === "default" ? drawDefaultImage(background.id) : undefined;
  return { avatar, logo: ownLogo, background: backgroundImage, drawing };
}
