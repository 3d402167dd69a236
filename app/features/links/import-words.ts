/** What an import of links says. */
export const importWords = {
  hint: "A page of links that you saved from your browser (Linktree and others, .html), or a list of links (.json). It is read here, and not kept.",
  noLinks: "There are no links in this file. Save the whole page from your browser, or export your links as JSON.",
  noJson: "This file begins like JSON, but it ends in the middle or is broken. Export it again and choose the new one.",
  neither: "This is neither a saved page (.html) nor a list of links (.json). Choose another file.",
  added: (count: number) =>
    `${count} ${count === 1 ? "link" : "links"} added. Look them over: nothing is saved until you save.`,
  noneAdded: "Nothing was added.",
  limited: (taken: number, of: number, limit: number) => `${taken} of ${of} taken: ${limit} is the limit.`,
  doubles: (count: number) => (count === 1 ? "1 was there already." : `${count} were there already.`),
  left: (what: readonly string[]) => `Left out: ${what.join(", ")}.`,
  /** Why one was not taken. */
  wrong: (name: string) => `“${name}” (no address that a link can have)`,
  more: (count: number) => `and ${count} more`,
} as const;
