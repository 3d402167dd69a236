import { maxAltLength, maxHeadings, maxLinks } from "./rules.ts";

export const messages = {
  nameRequired: "Link name is required",
  nameTooLong: "Use at most 60 characters for the name.",
  headingRequired: "Enter a heading.",
  headingHint: "Groups the links below it.",
  headingTooLong: "Use at most 60 characters for the heading.",
  invalidUrl: "Invalid URL",
  mediaHint: (label: string) => `Shown as a larger row with “${label}” below the name.`,
  pictureRequired: "Choose an image, or show this as a regular link.",
  altTooLong: `Use at most ${maxAltLength} characters for the description.`,
  altHint: "For people who can't see it. Leave it empty if the name says enough.",
  pictureHint: "JPEG, PNG or WebP, under 5MB. Cropped to a 2:1 ratio.",
  tooMany: `You can add a maximum of ${maxLinks} links.`,
  tooManyHeadings: `You can add a maximum of ${maxHeadings} headings.`,
  unreadable: "The links couldn't be read.",
  unreadableDate: "Enter a complete date and time.",
  dateOutOfRange: "Choose a date between the years 2000 and 2099.",
  endsBeforeStart: "The end must be after the start.",
  networkOf: (userName: string) => `Network for ${userName}`,
  chooseNetwork: (userName: string) => `Enter a full URL, or choose a network for “${userName}”:`,
  tabIsPremium: "Moving a link to the other tab comes with Premium.",
  tabIsKept: "Your choice is saved and applies again with Premium.",
  tabRule:
    "LinkedIn, GitHub and GitLab links go to Professional, as do booking pages and links named Portfolio or Resume. All others go to Personal.",
  tabsAreYours: "To move a link to the other tab, open it.",
  confirmRemoveHeading: "Are you sure you want to remove this heading?",
  confirmRemove: "Are you sure you want to remove this link?",
};

export const linkImportMessages = {
  hint: "A web page saved from your browser, such as your Linktree page (.html), or a list of links (.json). The file isn't stored.",
  noLinks: "This file contains no links. Save the whole page from your browser, or export your links as JSON.",
  noJson: "This JSON file is incomplete or damaged. Export it again and choose the new one.",
  neither: "Choose a saved page (.html) or a list of links (.json).",
  added: (count: number) => `${count} ${count === 1 ? "link" : "links"} added. Check them, then save.`,
  noneAdded: "Nothing was added.",
  limited: (taken: number, of: number, limit: number) => `Added ${taken} of ${of}. The limit is ${limit}.`,
  duplicates: (count: number) => (count === 1 ? "1 is already in your list." : `${count} are already in your list.`),
  skipped: (items: readonly string[]) => `Skipped: ${items.join(", ")}.`,
  invalid: (name: string) => `“${name}” (invalid URL)`,
  more: (count: number) => `and ${count} more`,
} as const;
