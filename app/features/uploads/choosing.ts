import { messages } from "./messages.ts";
import { pictureTypes } from "./pictures.ts";
import { maxUploadBytes } from "./rules.ts";

/** What a file picker offers for a resume. */
export const documentTypes =
  ".pdf,.doc,.docx,application/pdf,application/msword,application/vnd.openxmlformats-officedocument.wordprocessingml.document";

type Chosen = Pick<File, "name" | "type" | "size">;

/** Why this can't be a picture of theirs; asked before it is sent, and again by the server, which looks into the file. */
export function refusePicture({ name, type, size }: Chosen): string | undefined {
  // A system that doesn't know a kind says "".
  const isPicture = type ? pictureTypes.split(",").includes(type) : /\.(?:jpe?g|png|webp)$/i.test(name);
  if (!isPicture) return messages.pictureType;
  if (size > maxUploadBytes) return messages.pictureSize;
  return size === 0 ? messages.empty : undefined;
}

/** Why this can't be a resume. By its name: what systems call a Word document differs. */
export function refuseResume({ name, size }: Chosen): string | undefined {
  if (!/\.(?:pdf|docx?)$/i.test(name)) return messages.resumeType;
  if (size > maxUploadBytes) return messages.resumeSize;
  return size === 0 ? messages.empty : undefined;
}
