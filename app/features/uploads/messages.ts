import { cardIdOf } from "./rules.ts";
import type { Slot } from "./rules.ts";

/** The specification's texts (document 2, sections 5 and 8), and our own, which end with a period. */
export const messages = {
  imageType: "Please upload a JPEG, PNG, or WebP image",
  imageSize: "Image size must be less than 5MB",
  resumeType: "Please upload a PDF or Word document",
  resumeSize: "File size must be less than 5MB",
  empty: "This file is empty. Choose another one.",
  cutOff: "The file did not arrive whole. Send it again.",
  damagedImage: "This picture is damaged and can't be opened. Save it anew in another program, or choose another one.",
  animated: "This picture moves. Choose one that stands still.",
  tooManyPixels: "This picture has more than 40 million pixels. Make it smaller and try again.",
  tooLong: "This picture is more than 16,384 pixels wide or high. Make it smaller and try again.",
  tooSlow: "This picture takes too long to open. Save it anew in another program, or choose another one.",
  damagedDocument: "This document is damaged and can't be opened. Save it anew, or choose another one.",
  encrypted: "This document is protected by a password. Save it without one and try again.",
  macros: "This document holds macros. Save it without them, or as a PDF, and try again.",
  bomb: "This document is too large when it is unpacked. Save it as a PDF and try again.",
  crop: "That part lies outside the picture. Choose the part again.",
  unknownSlot: "There is no place for such a file.",
  missingCard: "This card is not there any more.",
  signedOut: "You are signed out. Sign in and try again.",
  underWay: "Another file is just being stored here. Wait until it is done, then try again.",
  tooOften: "That was many files in a short time. Wait ten minutes, then try again.",
  busy: "Many pictures are arriving at once. Try again in a minute.",
  outcomeUnknown: "Your change may or may not have been saved. Reload the page and check.",
  diskFull: "The server has no room left to write. Nothing was changed: try again later.",
} as const;

/** "50 of 50 MB and 12 of 200 files": the usage, then what to do. */
export function quotaExceeded(used: { bytes: number; files: number }, room: { bytes: number; files: number }): string {
  const megabytes = (bytes: number) => (bytes / 1_000_000).toFixed(1).replace(/\.0$/, "");
  return (
    `There is no room for this file: your account uses ${megabytes(used.bytes)} of ${megabytes(room.bytes)} MB ` +
    `and ${used.files} of ${room.files} files. Remove a logo, the banner or the resume, then try again.`
  );
}

type SlotMessages = { stored: string; removed: string; storeFailed: string; removeFailed: string };

export function slotMessages(slot: Slot): SlotMessages {
  if (cardIdOf(slot) !== undefined) return logoMessages;
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
