import { optionalLinkTexts, parseKind } from "#app/features/links/rules.ts";
import type { LinkKind } from "#app/features/links/rules.ts";
import type { Schedule } from "#app/features/links/schedule.ts";
import { fieldText, mapFields, namesOf } from "#app/services/base/form-fields.ts";
import type { FormFields } from "#app/services/base/form-fields.ts";
import { readVersionedForm } from "#app/ui/forms/versioned-values.ts";

import type { Profile, ProfileChange } from "#app/features/profile/data.server.ts";
import { switchLabels, typedTexts } from "#app/features/profile/profile-fields.ts";
import type { ProfileSwitchName, ProfileTextName } from "#app/features/profile/profile-fields.ts";
import { toThemeId } from "#app/features/profile/themes.ts";

export const profileTextNames = [...namesOf(typedTexts), "handle", "theme"] as const;
const switchNames = namesOf(switchLabels);

/** The values of the form as typed. */
export type ProfileDraft = Record<ProfileTextName, string> &
  Record<ProfileSwitchName, boolean> & { links: LinkDraft[] };

/** The texts of a link, with those of `optionalLinkTexts`. `tab` is "" when the rule decides; the times are epoch milliseconds as digits. */
export const linkTexts = {
  label: { label: "Name" },
  url: { label: "URL" },
  from: { label: "Show from" },
  until: { label: "Show until" },
  tab: { label: "Tab" },
  picture: { label: "Image" },
  alt: { label: "Image description" },
  ...optionalLinkTexts,
};
export type LinkTextName = keyof typeof linkTexts;
export const linkTextNames = namesOf(linkTexts);

/** `key` identifies the row while it is edited; `id` is "" until the link is saved. */
export type LinkDraft = Record<LinkTextName, string> & { key: string; id: string; kind: LinkKind; on: boolean };

export function toDraft(profile: Profile | ProfileChange): ProfileDraft {
  return {
    ...mapFields(profileTextNames, (name) => profile[name]),
    ...mapFields(switchNames, (name) => profile[name]),
    theme: toThemeId(profile.theme),
    links: profile.links.map(({ id, kind, on, ...link }, index) => ({
      key: rowKey(id, index),
      id,
      kind,
      on,
      ...mapFields(linkTextNames, (name) => String(link[name] ?? "")),
    })),
  };
}

/** Reads the sent form; `isComplete` is false when a field that our form always has is missing, or is a file. */
export function readProfileForm(form: FormFields) {
  const read = readVersionedForm(form, readDraft(form));
  const isText = (name: string) => typeof form.get(name) === "string";
  return { ...read, isComplete: read.sent.version > 0 && [...profileTextNames, "version"].every(isText) };
}

export function readDraft(form: FormFields): ProfileDraft {
  return {
    ...mapFields(profileTextNames, (name) => fieldText(form, name)),
    ...mapFields(switchNames, (name) => form.has(name)),
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

/** Text that isn't a number becomes null. */
export function toSchedule({ from, until }: Pick<LinkDraft, "from" | "until">): Schedule {
  const parseTime = (digits: string) => (/^-?\d{1,15}$/.test(digits) ? Number(digits) : null);
  return { from: parseTime(from), until: parseTime(until) };
}

function serializeDraft(draft: ProfileDraft): string {
  const links = draft.links.flatMap((link) => {
    const isSaved = (name: LinkTextName) => link.kind === "featured" || (name !== "picture" && name !== "alt");
    return isBlankLink(link) ? [] : [[link.kind, link.on, ...linkTextNames.map((name) => isSaved(name) && link[name])]];
  });
  // Forms submit line breaks as CRLF, text areas contain LF.
  const texts = profileTextNames.map((name) => draft[name].replaceAll("\r\n", "\n"));
  return JSON.stringify([texts, switchNames.map((name) => draft[name]), links]);
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
      const textOf = (name: string) => fieldText(form, `links.${field}.${name}`);
      const id = textOf("id");
      return {
        key: rowKey(id, index),
        id,
        kind: parseKind(textOf("kind")),
        on: form.has(`links.${field}.on`),
        ...mapFields(linkTextNames, textOf),
      };
    });
  // Drops empty new rows, only at the end because errors refer to indexes.
  return links.slice(0, links.findLastIndex((link) => link.id !== "" || !isBlankLink(link)) + 1);
}

const linkFieldName = new RegExp(`^links\\.(\\d{1,3})\\.(?:id|kind|on|${linkTextNames.join("|")})$`);

/** Unique even if a form repeats an id. */
function rowKey(id: string, index: number): string {
  return `${index}-${id}`;
}
