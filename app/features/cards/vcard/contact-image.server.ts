import { avatarVariants, logoVariants } from "#app/features/uploads/image-urls.ts";
import type { Services } from "#app/services/http/context.ts";

/**
 * The owner's avatar for a contact file, a JPEG in base64. Undefined without an avatar, and when it is missing, unreadable or too
 * large for address books, which is logged: the contact is still useful without a photo.
 */
export async function readContactPhoto(
  services: Pick<Services, "files" | "log">,
  avatarKey: string | null,
): Promise<string | undefined> {
  return avatarKey === null ? undefined : readImage(services, avatarKey + avatarVariants.jpeg, maxPhotoBytes);
}

const maxPhotoBytes = 20 * 1024;

/** The logo of a card, a WebP in base64; undefined as above. */
export async function readCardLogo(
  services: Pick<Services, "files" | "log">,
  logoKey: string | null,
): Promise<string | undefined> {
  return logoKey === null ? undefined : readImage(services, logoKey + logoVariants.webp, maxLogoBytes);
}

const maxLogoBytes = 200 * 1024;

async function readImage(
  { files, log }: Pick<Services, "files" | "log">,
  path: string,
  maxBytes: number,
): Promise<string | undefined> {
  try {
    const bytes = await files.read(path);
    if (bytes && bytes.length <= maxBytes) return Buffer.from(bytes).toString("base64");
    log.warn({ path, bytes: bytes?.length }, "a contact is shown without the image");
  } catch (error) {
    log.error({ err: error, path }, "a contact is shown without the image");
  }
  return undefined;
}
