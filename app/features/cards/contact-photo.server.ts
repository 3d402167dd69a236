import { avatarForms } from "#app/features/uploads/addresses.ts";
import type { Services } from "#app/services/context.ts";

/**
 * The owner's picture for a contact file, a JPEG in base64. Undefined where there is none, and where it is gone, can't be read or is
 * too large for address books, which is logged: a contact without a photo is better than no contact.
 */
export async function readContactPhoto(
  { files, log }: Pick<Services, "files" | "log">,
  avatarStem: string | null,
): Promise<string | undefined> {
  if (avatarStem === null) return undefined;
  const path = avatarStem + avatarForms.jpeg;
  try {
    const bytes = await files.read(path);
    if (bytes && bytes.length <= maxBytes) return Buffer.from(bytes).toString("base64");
    log.warn({ path, bytes: bytes?.length }, "photo left out of a contact file");
  } catch (error) {
    log.error({ err: error, path }, "photo left out of a contact file");
  }
  return undefined;
}

const maxBytes = 20 * 1024;
