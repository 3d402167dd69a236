import { maxHeadings, maxLinks } from "./rules.ts";

export const messages = {
  nameRequired: "Link name is required",
  nameTooLong: "Use at most 60 characters for the name.",
  headingRequired: "Enter the text of the heading.",
  headingTooLong: "Use at most 60 characters for the heading.",
  invalidUrl: "Invalid URL",
  tooMany: `You can add a maximum of ${maxLinks} links.`,
  tooManyHeadings: `You can add a maximum of ${maxHeadings} headings.`,
  unreadable: "The links could not be read.",
  unreadableDate: "This date could not be read: choose it again.",
  dateFarOff: "Choose a date between the years 2000 and 2099.",
  endsBeforeStart: "The end must come after the start: until then nobody would see the link.",
  tabIsPremium: "Moving a link to the other tab comes with Premium.",
  tabRule:
    "Visitors find your links on two tabs. Those to LinkedIn, GitHub and GitLab, and those with Portfolio or Resume in their name, are on Professional; all others on Personal.",
  tabsAreYours: "Open a link to put it on the other one.",
  confirmRemove: "Are you sure you want to remove this link?",
};

export const linkImportMessages = {
  hint: "A page of links that you saved from your browser (Linktree and others, .html), or a list of links (.json). It is read here, and not kept.",
  noLinks: "There are no links in this file. Save the whole page from your browser, or export your links as JSON.",
  noJson: "This file begins like JSON, but it ends in the middle or is broken. Export it again and choose the new one.",
  neither: "This is neither a saved page (.html) nor a list of links (.json). Choose another file.",
  added: (count: number) =>
    `${count} ${count === 1 ? "link" : "links"} added. Look them over: nothing is saved until you save.`,
  noneAdded: "Nothing was added.",
  limited: (taken: number, of: number, limit: number) => `${taken} of ${of} taken: ${limit} is the limit.`,
  duplicates: (count: number) => (count === 1 ? "1 was there already." : `${count} were there already.`),
  skipped: (items: readonly string[]) => `Left out: ${items.join(", ")}.`,
  invalid: (name: string) => `“${name}” (no address that a link can have)`,
  more: (count: number) => `and ${count} more`,
} as const;
