import { noCounts } from "#app/features/analytics/dimension-rules.ts";
import type { Counts, Dimension } from "#app/features/analytics/dimension-rules.ts";
import { weekdayOf } from "#app/services/preferences/owner-days.ts";

import { buildReport } from "./report-rules.ts";
import { readRange } from "./range-rules.ts";
import type { Report, ReportCount } from "./report-rules.ts";

/** What the sample's cards and links are called. */
export const sampleNames = {
  cards: [
    { id: "sample", name: "Business card", links: [] },
    { id: "fair", name: "Trade fair", links: [] },
  ],
  links: [
    { id: "sample-1", label: "LinkedIn", url: "https://www.linkedin.com" },
    { id: "sample-2", label: "Book a meeting", url: "https://cal.com" },
    { id: "sample-3", label: "Portfolio", url: "https://example.com" },
  ],
};

/** A report of invented counts over 30 days, the same for everyone: what Premium shows. */
export function sampleReport(today: number): Report {
  const { range } = readRange(new URLSearchParams("range=30"), { today, firstDay: undefined });
  const rows: ReportCount[] = [];
  const add = (
    dimension: ReportCount["dimension"],
    { day, value = "", ...counts }: { day: number; value?: string } & Partial<Counts>,
  ) => rows.push({ dimension, day, value, ...noCounts, ...counts });
  for (let day = range.before?.from ?? range.from; day <= today; day++) {
    const age = today - day;
    const isWeekend = weekdayOf(day) > 4;
    const visits = Math.round((isWeekend ? 9 : 26) + 9 * Math.sin(age / 3.1) + (60 - age) / 4 + (age === 11 ? 38 : 0));
    const counts = {
      visits,
      visitors: Math.round(visits * 0.78),
      saves: Math.round(visits / 7),
      clicks: Math.round(visits / 3),
    };
    add("all", { day, ...counts });
    add("scan", { day, visits: Math.round(visits * scannedShare) });
    if (day < range.from) continue;
    for (const [dimension, value, share] of shares)
      add(dimension, {
        day,
        value,
        visits: dimension === "link" ? 0 : Math.round(visits * share),
        saves: dimension === "link" ? 0 : Math.round((visits * share) / 7),
        clicks: Math.round((visits * share) / 3),
      });
    for (const [hour, share] of [
      [8, 0.1],
      [9, 0.2],
      [11, 0.24],
      [14, 0.18],
      [16, 0.16],
      [20, 0.12],
    ] as const)
      add("hour", { day, value: String(weekdayOf(day) * 24 + hour), visits: Math.round(visits * share) });
  }
  return buildReport(range, rows);
}

/** Of the source "qr" below. */
const scannedShare = 0.42;

const shares: [Dimension, string, number][] = [
  ["page", "card:sample", 0.55],
  ["page", "card:fair", 0.25],
  ["page", "profile:", 0.2],
  ["link", "sample-1", 0.5],
  ["link", "sample-2", 0.3],
  ["link", "sample-3", 0.2],
  ["source", "qr", scannedShare],
  ["source", "link", 0.21],
  ["source", "", 0.16],
  ["source", "signature", 0.12],
  ["source", "linkedin.com", 0.09],
  ["device", "phone", 0.74],
  ["device", "desktop", 0.22],
  ["device", "tablet", 0.04],
];
