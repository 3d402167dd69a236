/** What a process looks at. New ones are added at the end: a day's marks know them by their place. */
export const checkNames = ["database", "files", "mail", "jobs"] as const;

export type CheckName = (typeof checkNames)[number];

/** `unset`: not set up, so there is nothing to be well or failing. */
export type CheckState = "well" | "failing" | "unset";

export type Found = Record<CheckName, CheckState>;

export const MS_PER_MINUTE = 60_000;
export const MINUTES_PER_DAY = 1_440;

export const minuteOf = (time: number): number => Math.floor(time / MS_PER_MINUTE);
export const dayOf = (minute: number): number => Math.floor(minute / MINUTES_PER_DAY);

/** What failed, as bits: 0 is nothing, 5 is the first and the third of `checkNames`. */
export function failingBits(found: Found): number {
  return checkNames.reduce((bits, name, place) => bits | (found[name] === "failing" ? 1 << place : 0), 0);
}

export function namesOf(bits: number): CheckName[] {
  return checkNames.filter((_name, place) => bits & (1 << place));
}

/** A minute as one sign: "-" when nobody recorded it, else what failed in it, "0" to "v". */
type Mark = string;

export const nobody: Mark = "-";
export const markOf = (bits: number): Mark => bits.toString(32);
export const bitsOf = (mark: Mark): number | undefined => (mark === nobody ? undefined : Number.parseInt(mark, 32));

/** A day in which nobody recorded anything. */
export const emptyDay: string = nobody.repeat(MINUTES_PER_DAY);

/** The marks of a day as they were stored; what is none says nothing. */
export function readMarks(text: string): string {
  return /^[-0-9a-v]{1440}$/.test(text) ? text : emptyDay;
}

/**
 * One minute of two processes, or seen twice: well when one of them was entirely well, else all that failed. In any order and any number
 * of times the outcome is the same, so nothing is lost and nothing counted twice.
 */
export function mergeBits(one: number | undefined, other: number | undefined): number | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return one === 0 || other === 0 ? 0 : one | other;
}

/** A minute (`time / 60000`) and what failed in it. */
export type MinuteFound = { minute: number; bits: number };

/** Lays minutes over the marks of the day that they belong to. */
export function layOver(marks: string, minutes: readonly MinuteFound[]): string {
  const signs = Array.from(marks);
  for (const { minute, bits } of minutes) {
    const place = minute % MINUTES_PER_DAY;
    signs[place] = markOf(mergeBits(bitsOf(signs[place] ?? nobody), bits) ?? bits);
  }
  return signs.join("");
}
