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
