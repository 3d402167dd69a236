import { readTags } from "#app/features/leads/inbox-rules.ts";
import type { LeadStatus } from "#app/features/leads/rules.ts";
import { fieldText, mapFields, namesOf } from "#app/services/base/form-fields.ts";
import type { FormFields } from "#app/services/base/form-fields.ts";
import { paragraph } from "#app/services/base/plain-text.ts";
import { mergeValues } from "#app/ui/forms/merge-values.ts";

/** What the owner writes about a lead. */
export type LeadNotes = { status: LeadStatus; ownerNote: string; followUp: string; tags: readonly string[] };

type NotesVersions = {
  /** What the form was opened with. It is only compared, so it may be anything. */
  base: unknown;
  /** What was typed. */
  mine: LeadNotes;
  /** What is stored. */
  other: LeadNotes;
};

/** The notes as typed: tags are separated by commas. */
export type TypedNotes = Record<keyof LeadNotes, string>;

/** The fields of the notes, in the order of the form. */
export const noteLabels: Record<keyof LeadNotes, string> = {
  status: "Status",
  followUp: "Follow up on",
  tags: "Tags",
  ownerNote: "Note",
};
export type NotesField = keyof LeadNotes;

/**
 * Merges two changed versions of notes by field, and tags by what each side added and removed. `conflicts`: fields that both sides changed
 * differently; the merged notes then have what was typed.
 */
export function mergeNotes({ base, mine, other }: NotesVersions): { notes: LeadNotes; conflicts: NotesField[] } {
  const { values, conflicts } = mergeValues({ base, mine: withoutTags(mine), other: withoutTags(other) });
  const fields = namesOf(noteLabels).filter((name) => conflicts.some(({ path }) => path === name));
  return { notes: { ...values, tags: mergeTags(baseTags(base), mine.tags, other.tags) }, conflicts: fields };
}

export function readTypedNotes(form: FormFields): TypedNotes {
  return mapFields(namesOf(noteLabels), (name) => fieldText(form, name));
}

/** Whether what was typed would be stored as what is stored already. */
export function isSameNotes(typed: TypedNotes, stored: LeadNotes): boolean {
  const tagsOf = (tags: readonly string[]) =>
    tags
      .map((tag) => tag.toLowerCase())
      .toSorted()
      .join();
  return (
    typed.status === stored.status &&
    typed.followUp === stored.followUp &&
    paragraph(typed.ownerNote) === stored.ownerNote &&
    tagsOf(readTags(typed.tags)) === tagsOf(stored.tags)
  );
}

function withoutTags({ status, ownerNote, followUp }: LeadNotes) {
  return { status, ownerNote, followUp };
}

function baseTags(base: unknown): unknown[] {
  return typeof base === "object" && base !== null && "tags" in base && Array.isArray(base.tags) ? base.tags : [];
}

/** What is stored, without what was removed here, and with what was added here. */
function mergeTags(base: readonly unknown[], mine: readonly string[], other: readonly string[]): string[] {
  const stored = other.filter((tag) => mine.includes(tag) || !base.includes(tag));
  return [...stored, ...mine.filter((tag) => !other.includes(tag) && !base.includes(tag))];
}
