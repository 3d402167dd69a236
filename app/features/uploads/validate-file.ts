import { messages, notResume } from "#app/features/uploads/messages.ts";
import type { OtherDocument } from "#app/features/uploads/messages.ts";
import { maxImagePixels, maxImageSide, maxUploadBytes } from "#app/features/uploads/rules.ts";

/** The `accept` attribute of an image picker. Phones convert their own formats to one of these. */
export const imageTypes = "image/jpeg,image/png,image/webp";

/** The `accept` attribute of a resume picker. */
export const documentTypes =
  ".pdf,.doc,.docx,.dot,.dotx,application/pdf,application/msword," +
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document," +
  "application/vnd.openxmlformats-officedocument.wordprocessingml.template";

type ChosenFile = Pick<File, "name" | "type" | "size">;

/** Why a chosen file can't be an image, or undefined. The server checks again, and looks into the file. */
export function validateImageFile({ name, type, size }: ChosenFile): string | undefined {
  // The type is "" when the operating system doesn't know the format.
  const isImage = type ? imageTypes.split(",").includes(type) : /\.(?:jpe?g|png|webp)$/i.test(name);
  if (!isImage) return messages.imageType;
  if (size > maxUploadBytes) return messages.imageSize;
  return size === 0 ? messages.empty : undefined;
}

/** Why an image can't be decoded, or undefined: the server would refuse it for its size in pixels. */
export function validateImageSize({ width, height }: { width: number; height: number }): string | undefined {
  if (width * height > maxImagePixels) return messages.tooManyPixels;
  return Math.max(width, height) > maxImageSide ? messages.tooLong : undefined;
}

/**
 * Why a chosen file can't be a resume, or undefined, as the server would say. Goes by the name, because systems disagree on the type of a
 * Word document, and by the type of a file without extension, as apps of phones may name it.
 */
export function validateResumeFile({ name, type, size }: ChosenFile): string | undefined {
  const other = otherExtensions.find(([, extension]) => extension.test(name));
  if (other) return notResume(other[0]);
  if (/\.do[ct]m$/i.test(name)) return messages.macros;
  const isDocument = /\.(?:pdf|do[ct]x?)$/i.test(name) || documentTypes.split(",").includes(type);
  if (!isDocument) return messages.resumeType;
  if (size > maxUploadBytes) return messages.resumeSize;
  return size === 0 ? messages.empty : undefined;
}

const otherExtensions: [OtherDocument, RegExp][] = [
  ["rtf", /\.rtf$/i],
  ["odt", /\.od[tpsg]$/i],
  ["html", /\.(?:x?html?|mht(?:ml)?)$/i],
  ["xml", /\.xml$/i],
  ["txt", /\.txt$/i],
  ["pages", /\.pages$/i],
];
