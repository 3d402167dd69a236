import { cardIdOf, passImageOf, linkImageIdOf } from "./rules.ts";
import type { Slot } from "./rules.ts";

/** The specification's texts (document 2, sections 5 and 8), and our own, which end with a period. */
export const messages = {
  imageType: "Please upload a JPEG, PNG, or WebP image",
  imageSize: "Image size must be less than 5MB",
  resumeType: "Please upload a PDF or Word document",
  resumeSize: "File size must be less than 5MB",
  empty: "This file is empty. Choose another one.",
  damagedImage: "This image is damaged and can’t be opened. Save it again in another app, or choose another one.",
  tooManyPixels: "This image has more than 40 million pixels. Make it smaller and try again.",
  tooLong: "This image is more than 16,384 pixels wide or high. Make it smaller and try again.",
  macros: "This document contains macros. Save it without them or as a PDF, then try again.",
} as const;

/** What only the server finds: apart from the others, so that browsers don't load them. */
export const serverMessages = {
  cutOff: "The upload was interrupted. Try again.",
  animated: "Animated images aren’t supported. Choose a still image.",
  tooSlow: "This image takes too long to process. Save it again in another app, or choose another one.",
  damagedDocument: "This document is damaged and can’t be opened. Save it again, or choose another one.",
  encrypted: "This document is password-protected. Remove the password and try again.",
  embedded:
    "This document contains embedded objects, such as a spreadsheet. Remove them or save it as a PDF, then try again.",
  linked: "This document loads a template or another file from a different computer. Save it as a PDF and try again.",
  bomb: "This document is too large once unpacked. Save it as a PDF and try again.",
  crop: "The crop area is outside the image. Crop it again.",
  unknownSlot: "Files can’t be uploaded here.",
  missingCard: "This card no longer exists.",
  stale: "This file was changed in the meantime. Read it and send your change again.",
  signedOut: "You’re signed out. Sign in and try again.",
  underWay: "Another file is still being saved here. Try again when it’s done.",
  tooOften: "Too many uploads in a short time. Try again in ten minutes.",
  busy: "The server is busy processing other images. Try again in a minute.",
} as const;

/** When a file couldn't be stored or removed; each slot has its own text for other errors. */
export const uploadFailures = {
  outcomeUnknown: "Your change may or may not have been saved. Reload the page to check.",
  diskFull: "The server is out of disk space. Nothing was changed. Try again later.",
};

/** What a file is that its owner took for a Word document, by the usual extension of such files. */
const otherDocuments = {
  rtf: "an RTF file",
  odt: "an OpenDocument file (ODT)",
  html: "a web page (HTML)",
  xml: "an XML file",
  txt: "a plain text file",
  pages: "an Apple Pages document",
} as const;

export type OtherDocument = keyof typeof otherDocuments;

/** Why such a file can't be a resume, and what to do. */
export function notResume(format: OtherDocument): string {
  return `${messages.resumeType}. This is ${otherDocuments[format]}: open it, save it as a PDF, then upload that.`;
}

/** "50 of 50 MB and 12 of 200 files": the usage, then what to do. */
export function quotaExceeded(used: { bytes: number; files: number }, room: { bytes: number; files: number }): string {
  const megabytes = (bytes: number) => (bytes / 1_000_000).toFixed(1).replace(/\.0$/, "");
  return (
    `Not enough space for this file: your account uses ${megabytes(used.bytes)} of ${megabytes(room.bytes)} MB ` +
    `and ${used.files} of ${room.files} files. Remove a logo, your banner or your resume, then try again.`
  );
}

const openAgain = "Go back to the profile and open the file from there.";

/** For a file that can't be opened. */
export const fileMessages = {
  missing: "This file doesn’t exist. Its owner may have replaced or removed it.",
  expired: `This link was valid for an hour and has expired. ${openAgain}`,
  unsigned: `This link is incomplete. ${openAgain}`,
  openAgain,
} as const;

type SlotMessages = { stored: string; removed: string; storeFailed: string; removeFailed: string };

export function slotMessages(slot: Slot): SlotMessages {
  if (cardIdOf(slot) !== undefined) return logoMessages;
  if (linkImageIdOf(slot) !== undefined || passImageOf(slot)) return linkImageMessages;
  return slot === "avatar" ? avatarMessages : slot === "banner" ? bannerMessages : resumeMessages;
}

const avatarMessages: SlotMessages = {
  stored: "Avatar updated!",
  removed: "Avatar removed",
  storeFailed: "Failed to upload avatar.",
  removeFailed: "Failed to remove avatar",
};

const bannerMessages: SlotMessages = {
  stored: "Banner uploaded successfully",
  removed: "Banner removed",
  storeFailed: "Failed to upload banner",
  removeFailed: "Failed to remove banner",
};

const resumeMessages: SlotMessages = {
  stored: "Resume uploaded successfully",
  removed: "Resume removed",
  storeFailed: "Failed to upload resume",
  removeFailed: "Failed to remove resume",
};

const logoMessages: SlotMessages = {
  stored: "Logo uploaded successfully",
  removed: "Logo removed",
  storeFailed: "Failed to upload logo",
  removeFailed: "Failed to remove logo",
};

const linkImageMessages: SlotMessages = {
  stored: "Image uploaded",
  removed: "Image removed",
  storeFailed: "Failed to upload image",
  removeFailed: "Failed to remove image",
};
