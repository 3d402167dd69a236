import { maxLinks } from "./rules.ts";

export const messages = {
  nameRequired: "Link name is required",
  nameTooLong: "Use at most 60 characters for the name.",
  invalidUrl: "Invalid URL",
  tooMany: `You can add a maximum of ${maxLinks} links.`,
  unreadable: "The links could not be read.",
  confirmRemove: "Are you sure you want to remove this link?",
};
