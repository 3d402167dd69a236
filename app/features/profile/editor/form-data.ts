import { parseKind } from "#app/features/links/rules.ts";
import type { LinkKind } from "#app/features/links/rules.ts";
import type { Schedule } from "#app/features/links/schedule.ts";
import { fieldText } from "#app/services/base/form-fields.ts";
import type { FormFields } from "#app/services/base/form-fields.ts";
import { readVersion } from "#app/ui/forms/versioned-values.ts";
import type { Versioned } from "#app/ui/forms/versioned-values.ts";

import type { Profile, ProfileChange } from "#app/features/profile/data.server.ts";
import { toThemeId } from "#app/features/profile/themes.ts";

/** The values of the form as typed. */
export type ProfileDraft = {
  displayName: string;
  bio: string;
  handle: string;
  theme: string;
  showBusinessCard: boolean;
  isListed: boolean;
  links: LinkDraft[];
};

/** `key` identifies the row while it is edited; `id` is "" until the link is saved. */
export type LinkDraft = {
  key: string;
  id: string;
  kind: LinkKind;
  label: string;
  url: string;
  on: boolean;
  /** Epoch milliseconds as digits, or "". Hidden fields hold them, so that a form without script submits them unchanged. */
  from: string;
  until: string;
  /** "professional", "personal", or "" when the rule decides. */
  tab: string;
  /** The storage key prefix of a featured link's image, and its alternative text. */
  picture: string;
  alt: string;
  /** Campaign parameters of a web address. */
  utmSource: string;
  utmMedium: string;
  utmCampaign: string;
};

export function toDraft(profile: Profile | ProfileChange): ProfileDraft {
  const { displayName, bio, handle, theme, showBusinessCard, isListed, links } = profile;
  return {
    displayName,
    bio,
    handle,
    theme: toThemeId(theme),
    showBusinessCard,
    isListed,
    links: links.map((link, index) => ({
      ...link,
      key: rowKey(link.id, index),
      from: String(link.from ?? ""),
      until: String(link.until ?? ""),
      tab: link.tab ?? "",
      picture: link.picture ?? "",
      alt: link.alt ?? "",
      utmSource: link.utmSource ?? "",
      utmMedium: link.utmMedium ?? "",
      utmCampaign: link.utmCampaign ?? "",
    })),
  };
}

/** Reads the sent form; `isComplete` is false when a field that our form always has is missing, or is a file. */
export function readProfileForm(form: FormFields): { sent: Versioned<ProfileDraft>; isComplete: boolean } {
  const sent = { values: readDraft(form), version: readVersion(form) };
  return { sent, isComplete: sent.version > 0 && requiredFields.every((name) => typeof form.get(name) === "string") };
}

export function readDraft(form: FormFields): ProfileDraft {
  return {
    displayName: fieldText(form, "displayName"),
    bio: fieldText(form, "bio"),
    handle: fieldText(form, "handle"),
    theme: fieldText(form, "theme"),
    showBusinessCard: form.has("showBusinessCard"),
    isListed: form.has("isListed"),
    links: readLinks(form),
  };
}

/** Whether two drafts would be saved as the same profile. Empty links and ids don't count. */
export function isSameDraft(one: ProfileDraft, other: ProfileDraft): boolean {
  return serializeDraft(one) === serializeDraft(other);
}

/** A link without name and URL: a save drops it, and it can be removed without confirmation. */
export function isBlankLink({ label, url }: Pick<LinkDraft, "label" | "url">): boolean {
  return label.trim() === "" && url.trim() === "";
}

const requiredFields = ["displayName", "bio", "handle", "theme", "version"];

/** Text that isn't a number becomes null. */
export function toSchedule({ from, until }: Pick<LinkDraft, "from" | "until">): Schedule {
  const parseTime = (digits: string) => (/^-?\d{1,15}$/.test(digits) ? Number(digits) : null);
  return { from: parseTime(from), until: parseTime(until) };
}

function serializeDraft(draft: ProfileDraft): string {
  const links = filledLinks(draft).map(({ kind, label, url, on, from, until, tab, picture, alt, ...link }) => {
    const look = kind === "featured" ? [kind, picture, alt] : [kind];
    return [...look, label, url, on, from, until, tab, link.utmSource, link.utmMedium, link.utmCampaign];
  });
  return JSON.stringify([
    draft.displayName,
    normalizeLineBreaks(draft.bio),
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

/** Forms submit line breaks as CRLF, text areas contain LF. */
function normalizeLineBreaks(text: string): string {
  return text.replaceAll("\r\n", "\n");
}

function readLinks(form: FormFields): LinkDraft[] {
  const indexes = new Set<number>();
  for (const name of form.keys()) {
    const index = linkFieldName.exec(name)?.[1];
    if (index !== undefined) indexes.add(Number(index));
  }
  const links = [...indexes]
    .toSorted((one, other) => one - other)
    .map((field, index) => {
      const id = fieldText(form, `links.${field}.id`);
      return {
        key: rowKey(id, index),
        id,
        kind: parseKind(fieldText(form, `links.${field}.kind`)),
        label: fieldText(form, `links.${field}.label`),
        url: fieldText(form, `links.${field}.url`),
        on: form.has(`links.${field}.on`),
        from: fieldText(form, `links.${field}.from`),
        until: fieldText(form, `links.${field}.until`),
        tab: fieldText(form, `links.${field}.tab`),
        picture: fieldText(form, `links.${field}.picture`),
        alt: fieldText(form, `links.${field}.alt`),
        utmSource: fieldText(form, `links.${field}.utmSource`),
        utmMedium: fieldText(form, `links.${field}.utmMedium`),
        utmCampaign: fieldText(form, `links.${field}.utmCampaign`),
      };
    });
  // Drops empty new rows, only at the end because errors refer to indexes.
  return links.slice(0, links.findLastIndex((link) => link.id !== "" || !isBlankLink(link)) + 1);
}

const linkFieldName =
  /^links\.(\d{1,3})\.(?:id|kind|label|url|on|from|until|tab|picture|alt|utmSource|utmMedium|utmCampaign)$/;

/** Unique even if a form repeats an id. */
function rowKey(id: string, index: number): string {
  return `${index}-${id}`;
}
