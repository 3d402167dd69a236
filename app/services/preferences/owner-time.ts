/** Dates and times as an owner chose to read them. Only on the server: the browser may know other names. */

import { currentZone } from "./zone-rules.ts";

/** The time zones that can be chosen, besides UTC. */
export const timeZones: readonly string[] = Intl.supportedValuesOf("timeZone")
  .filter((zone) => zone !== "UTC")
  .map((zone) => currentZone(zone))
  .toSorted();

/** The ways to write a date that can be chosen, besides that of American English. */
export const dateLocales = [
  "en-GB",
  "en-CA",
  "de-DE",
  "es-ES",
  "fr-FR",
  "it-IT",
  "nl-NL",
  "pl-PL",
  "pt-BR",
  "sv-SE",
  "tr-TR",
  "ja-JP",
  "ko-KR",
  "zh-CN",
] as const;

/** What the owner chose. */
export type DateChoice = { locale: string; timeZone: string };

/** "November 22, 2026" in the owner's way of writing. Times are epoch milliseconds. */
export function formatOwnDate(time: number, choice: DateChoice): string {
  return new Intl.DateTimeFormat(localeOf(choice), { dateStyle: "long", timeZone: zoneOf(choice) }).format(time);
}

/** "Nov 22, 2026, 21:30 UTC" in the owner's way of writing. */
export function formatOwnTime(time: number, choice: DateChoice): string {
  return new Intl.DateTimeFormat(localeOf(choice), {
    year: "numeric",
    month: "short",
    day: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    // American readers chose nothing; everyone else reads their own clock.
    ...(choice.locale === "" && { hourCycle: "h23" as const }),
    timeZoneName: "short",
    timeZone: zoneOf(choice),
  }).format(time);
}

function localeOf({ locale }: DateChoice): string {
  return locale || "en-US";
}

function zoneOf({ timeZone }: DateChoice): string {
  return timeZone || "UTC";
}
