import { dateWords } from "#app/features/links/date-words.ts";
import type { Schedule } from "#app/features/links/schedule.ts";

import type { Profile, ProfileChange } from "./data.server.ts";
import { themeIdOf } from "./theme-choices.ts";

/** What the form holds, as typed. */
export type ProfileDraft = {
  displayName: string;
  bio: string;
  handle: string;
  theme: string;
  showBusinessCard: boolean;
  isListed: boolean;
  links: LinkDraft[];
};

/** `key` tells the rows apart while they are edited; `id` is "" until the link was saved. */
export type LinkDraft = {
  key: string;
  id: string;
  label: string;
  url: string;
  on: boolean;
  /** Epoch milliseconds in digits, or "": the hidden fields hold them, so that a form without script sends them back. */
  from: string;
  until: string;
  /** "professional", "personal", or "" where the rule decides. */
  tab: string;
};

/** By the name of a field ("bio", "links") or of a field of a link ("links.0.url"): what is wrong with it. */
export type Problems = Partial<Record<string, string>>;

export function draftOf(profile: Profile | ProfileChange): ProfileDraft {
  const { displayName, bio, handle, theme, showBusinessCard, isListed, links } = profile;
  return {
    displayName,
    bio,
    handle,
    theme: themeIdOf(theme),
    showBusinessCard,
    isListed,
    links: links.map((link, index) => ({
      ...link,
      key: keyOf(link.id, index),
      from: String(link.from ?? ""),
      until: String(link.until ?? ""),
      tab: link.tab ?? "",
    })),
  };
}

/** The form as it was sent; `isWhole` is false when a field that every form of ours has is missing, or is a file. */
export function readDraft(form: FormData): { typed: ProfileDraft; version: number; isWhole: boolean } {
  const typed = {
    displayName: textOf(form, "displayName"),
    bio: textOf(form, "bio"),
    handle: textOf(form, "handle"),
    theme: textOf(form, "theme"),
    showBusinessCard: form.has("showBusinessCard"),
    isListed: form.has("isListed"),
    links: readLinks(form),
  };
  // "Keep mine" says which version it replaces; every other save the one the form was opened with.
  const version = versionOf(textOf(form, "replaces") || textOf(form, "version"));
  const isWhole = version > 0 && required.every((name) => typeof form.get(name) === "string");
  return { typed, version, isWhole };
}

/** Whether two drafts would be saved as the same profile. Links that hold nothing do not count, ids neither. */
export function isSameDraft(one: ProfileDraft, other: ProfileDraft): boolean {
  return contentOf(one) === contentOf(other);
}

/** What would be saved differently, in words, in the order of the form. */
export function differences(mine: ProfileDraft, other: ProfileDraft): { field: string; mine: string; other: string }[] {
  return compared
    .map(([field, words]) => ({ field, mine: words(mine), other: words(other) }))
    .filter((row) => row.mine !== row.other);
}

/** Neither a name nor an address: such a link is dropped by a save, and may go without a question. */
export function isBlankLink({ label, url }: Pick<LinkDraft, "label" | "url">): boolean {
  return label.trim() === "" && url.trim() === "";
}

/** 0 for what is no version; the database holds it in 32 bits. */
function versionOf(text: string): number {
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : 0;
}

const required = ["displayName", "bio", "handle", "theme", "version"];

const compared: [string, (draft: ProfileDraft) => string][] = [
  ["Display name", (draft) => draft.displayName],
  ["Bio", (draft) => sameBreaks(draft.bio)],
  ["Handle", (draft) => draft.handle],
  ["Theme", (draft) => draft.theme],
  ["Links", (draft) => filledLinks(draft).map(wordsOf).join("\n")],
  ["Business cards on the profile", (draft) => (draft.showBusinessCard ? "Shown" : "Hidden")],
  ["Search engines", (draft) => (draft.isListed ? "May list this page" : "Are asked not to list this page")],
];

function wordsOf(link: LinkDraft): string {
  const { label, url, on, tab } = link;
  const { from, until } = scheduleOf(link);
  const more = [
    !on && "off",
    from !== null && `from ${dateWords(from, true)}`,
    until !== null && `until ${dateWords(until, true)}`,
    tab && `on the ${tab} tab`,
  ].filter(Boolean);
  return `${label}: ${url}${more.length > 0 ? ` (${more.join(", ")})` : ""}`;
}

/** The times that a draft's digits stand for; what is no time is none. */
export function scheduleOf({ from, until }: Pick<LinkDraft, "from" | "until">): Schedule {
  const timeOf = (digits: string) => (/^-?\d{1,15}$/.test(digits) ? Number(digits) : null);
  return { from: timeOf(from), until: timeOf(until) };
}

function contentOf(draft: ProfileDraft): string {
  const links = filledLinks(draft).map(({ label, url, on, from, until, tab }) => [label, url, on, from, until, tab]);
  return JSON.stringify([
    draft.displayName,
    sameBreaks(draft.bio),
    draft.handle,
    draft.theme,
    draft.showBusinessCard,
    draft.isListed,
    links,
  ]);
}

function filledLinks({ links }: ProfileDraft): LinkDraft[] {
  return links.filter((link) => !isBlankLink(link));
}

/** A form sends its line breaks as CRLF, a text area holds LF. */
function sameBreaks(text: string): string {
  return text.replaceAll("\r\n", "\n");
}

function readLinks(form: FormData): LinkDraft[] {
  const indexes = new Set<number>();
  for (const name of form.keys()) {
    const index = linkField.exec(name)?.[1];
    if (index !== undefined) indexes.add(Number(index));
  }
  const links = [...indexes]
    .toSorted((one, other) => one - other)
    .map((field, index) => {
      const id = textOf(form, `links.${field}.id`);
      return {
        key: keyOf(id, index),
        id,
        label: textOf(form, `links.${field}.label`),
        url: textOf(form, `links.${field}.url`),
        on: form.has(`links.${field}.on`),
        from: textOf(form, `links.${field}.from`),
        until: textOf(form, `links.${field}.until`),
        tab: textOf(form, `links.${field}.tab`),
      };
    });
  // The row for a new link that nothing was typed in. Only at the end: problems are told by place.
  return links.slice(0, links.findLastIndex((link) => link.id !== "" || !isBlankLink(link)) + 1);
}

const linkField = /^links\.(\d{1,3})\.(?:id|label|url|on|from|until|tab)$/;

function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}

/** The place makes it unique, whatever ids a form says. */
function keyOf(id: string, index: number): string {
  return `${index}-${id}`;
}
