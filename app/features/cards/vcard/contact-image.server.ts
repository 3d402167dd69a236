import { avatarVariants } from "#app/features/uploads/image-urls.ts";
import type { Services } from "#app/services/http/context.ts";

/**
 * The owner's avatar for a contact file, a JPEG in base64. Undefined without an avatar, and when it is missing, unreadable or too
 * large for address books, which is logged: the contact is still useful without a photo.
 */
export async function readContactPhoto(
  { files, log }: Pick<Services, "files" | "log">,
  avatarKey: string | null,
): Promise<string | undefined> {
  if (avatarKey === null) return undefined;
  const path = avatarKey + avatarVariants.jpeg;
  try {
    const bytes = await files.read(path);
    if (bytes && bytes.length <= maxPhotoBytes) return Buffer.from(bytes).toString("base64");
    log.warn({ path, bytes: bytes?.length }, "contact file sent without the photo");
  } catch (error) {
    log.error({ err: error, path }, "contact file sent without the photo");
  }
  return undefined;
}

const maxPhotoBytes = 20 * 1024;
