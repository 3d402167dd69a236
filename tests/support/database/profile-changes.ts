import type { ProfileChange } from "#app/features/profile/data.server.ts";

/** What the form of a profile without anything but a name sends. */
export const plainProfile: ProfileChange = {
  displayName: "Ada",
  bio: "",
  theme: "default",
  links: [],
  showBusinessCard: true,
  contactCardId: "",
  isListed: true,
  handle: "",
};

/** In place of the installation's signature, with which the handles of deleted accounts are stored. */
export const readableSign = (purpose: string, text: string) => `${purpose} ${text}`;
