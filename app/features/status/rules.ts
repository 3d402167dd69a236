/** What each process checks. Append new checks: stored minute codes refer to them by position. */
export const checkNames = ["database", "files", "mail", "jobs"] as const;

export type CheckName = (typeof checkNames)[number];

/** `unset`: not configured, so there is nothing to check. */
export type CheckState = "well" | "failing" | "unset";

export type CheckResults = Record<CheckName, CheckState>;

export const msPerMinute = 60_000;
export const minutesPerDay = 1_440;

export const minuteOf = (time: number): number => Math.floor(time / msPerMinute);
export const dayOf = (minute: number): number => Math.floor(minute / minutesPerDay);

/** The failed checks as bits: 0 for none, 5 for the first and the third of `checkNames`. */
export function encodeFailures(results: CheckResults): number {
  return checkNames.reduce((bits, name, position) => bits | (results[name] === "failing" ? 1 << position : 0), 0);
}

export function failingChecks(bits: number): CheckName[] {
  return checkNames.filter((_name, position) => bits & (1 << position));
}

/** A minute as one character: "-" when it was not recorded, else the failure bits in base 32, "0" to "v". */
type MinuteCode = string;

export const unrecordedMinute: MinuteCode = "-";
export const encodeMinute = (bits: number): MinuteCode => bits.toString(32);
export const decodeMinute = (code: MinuteCode): number | undefined =>
  code === unrecordedMinute ? undefined : Number.parseInt(code, 32);

/** The codes of a day without any record. */
export const unrecordedDay: string = unrecordedMinute.repeat(minutesPerDay);

/** Reads the stored codes of a day. Text in another format counts as a day without records. */
export function parseDayCodes(text: string): string {
  return /^[-0-9a-v]{1440}$/.test(text) ? text : unrecordedDay;
}

/**
 * Combines two results of one minute: well when one process found everything well, else all failures of both. Commutative, associative and
 * idempotent, so results can arrive late, twice and in any order.
 */
export function mergeMinute(one: number | undefined, other: number | undefined): number | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return one === 0 || other === 0 ? 0 : one | other;
}

/** A minute (`time / 60000`) and its failure bits. */
export type MinuteResult = { minute: number; bits: number };

/** Merges the results of minutes into the codes of their day. */
export function mergeIntoDay(codes: string, minutes: readonly MinuteResult[]): string {
  const characters = Array.from(codes);
  for (const { minute, bits } of minutes) {
    const position = minute % minutesPerDay;
    const code = characters[position] ?? unrecordedMinute;
    characters[position] = encodeMinute(mergeMinute(decodeMinute(code), bits) ?? bits);
  }
  return characters.join("");
}
