/** "24 Nov 2026, 09:00", in UTC and saying so while nobody knows the reader's zone. */
export function dateWords(time: number, isLocal: boolean): string {
  // A date that no calendar has, from a form that was made by hand.
  if (Math.abs(time) > 8.64e15) return "a date far off";
  const words = isLocal ? local : utc;
  return words.format(time) + (isLocal ? "" : " UTC");
}

const form = { day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit" } as const;
const local = new Intl.DateTimeFormat("en-GB", form);
const utc = new Intl.DateTimeFormat("en-GB", { ...form, timeZone: "UTC" });
