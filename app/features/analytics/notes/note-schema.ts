import { z } from "zod";

import { parseIsoDay } from "#app/services/preferences/owner-days.ts";
import { countCharacters, plainLine } from "#app/services/base/plain-text.ts";

/** A note on a day in the analytics: "trade fair". `id`: "20780-0", the day and which of its notes it is. */
export type DayNote = { id: string; day: number; text: string };

export const maxNotesPerDay = 3;
/** In Unicode code points. */
export const maxNoteLength = 80;

/** The first day that anything could have been counted, and how far ahead a note may be. */
const firstDay = parseIsoDay("2020-01-01") ?? 0;
const maxDaysAhead = 366;

export const noteMessages = {
  day: "Enter a date, as in 2026-11-23.",
  range: "Choose a day between 2020 and a year from now.",
  empty: "Enter a note.",
  long: `Use at most ${maxNoteLength} characters.`,
  full: `This day already has ${maxNotesPerDay} notes. Change one of them.`,
  elsewhere: "Its day isn’t in this period. Choose dates that include it to see the note.",
  gone: "This note was deleted in the meantime. Add it again if you need it.",
};

export function noteForm(today: number) {
  return z.object({
    day: z
      .string()
      .transform((text) => parseIsoDay(text.trim()))
      .pipe(
        z
          .number(noteMessages.day)
          .min(firstDay, noteMessages.range)
          .max(today + maxDaysAhead, noteMessages.range),
      ),
    text: noteText,
  });
}

export const noteText = z
  .string()
  .transform(plainLine)
  .pipe(
    z
      .string()
      .min(1, noteMessages.empty)
      .refine((text) => countCharacters(text) <= maxNoteLength, noteMessages.long),
  );

/** "20780-0" -> the key of a note; undefined for anything else. */
export function parseNoteId(id: string): { day: number; slot: number } | undefined {
  const [, day, slot] = /^(\d{1,6})-([0-2])$/.exec(id) ?? [];
  return day === undefined || slot === undefined ? undefined : { day: Number(day), slot: Number(slot) };
}
