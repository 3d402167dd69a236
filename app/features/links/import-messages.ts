/** Why an entry of a file isn't added. */
export const leftOutReasons = {
  invalidUrl: "invalid URL",
  noUrl: "no URL",
  ownPage: "a page of the saved site",
  repeated: "listed twice",
  overLimit: "over the limit",
} as const;
export type LeftOutReason = (typeof leftOutReasons)[keyof typeof leftOutReasons];

export const linkImportMessages = {
  hint: "Your LinkedIn data (.zip, Profile.csv): at LinkedIn, Settings > Data privacy > Get a copy of your data. Or a web page saved from your browser, such as your Linktree page (.html, .mhtml), your browser’s bookmarks (.html), or a list of links (.json, .csv). The file isn’t stored.",
  noLinks: "This file contains no links. Save the whole page from your browser, or export your links as JSON or CSV.",
  noJson: "This JSON file is incomplete or damaged. Export it again and choose the new one.",
  safariArchive:
    "This is a web archive of Safari, which can’t be read. In Safari, choose File > Save As, set the format to Page Source, and choose that file.",
  neither: "Choose LinkedIn data (.zip), a saved page (.html, .mhtml) or a list of links (.json, .csv).",
  added: (count: number) => `${count} ${count === 1 ? "link" : "links"} added. Check them, then save.`,
  noneAdded: "Nothing was added.",
  limited: (taken: number, of: number, limit: number) => `Added ${taken} of ${of}. The limit is ${limit}.`,
  duplicates: (count: number) => (count === 1 ? "1 is already in your list." : `${count} are already in your list.`),
  shortened: (max: number) => `Shortened to ${max} characters.`,
  replaces: (typed: string) => `Replaces “${typed}”`,
  skipped: (items: readonly string[]) => {
    const more = items.length - maxListed;
    return `Skipped: ${items.slice(0, maxListed).join(", ")}${more > 0 ? ` and ${more} more` : ""}.`;
  },
  leftOut: (name: string, reason: LeftOutReason) => `“${name}” (${reason})`,
  tooMany: (limit: number) => `everything after the first ${limit} links`,
} as const;

const maxListed = 20;
