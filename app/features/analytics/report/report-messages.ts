import type { FilterDimension } from "#app/features/analytics/dimension-rules.ts";

import type { ListDimension, ReportMeasure } from "./report-rules.ts";

/** The names of what is counted, and what each number means. */
export const measureLabels: Record<ReportMeasure, { label: string; hint: string }> = {
  visits: { label: "Visits", hint: "Times your profile or a card was opened" },
  visitors: { label: "Visitors", hint: "Unique people per day (estimate)" },
  scans: { label: "QR scans", hint: "Visits from codes on screen, in print or in a wallet" },
  saves: { label: "Saves", hint: "Contact files opened" },
  clicks: { label: "Link clicks", hint: "Links followed on your pages" },
  wallets: { label: "Wallet adds", hint: "Passes requested for a wallet" },
  leads: { label: "Leads", hint: "Contacts shared with you" },
};

export const sourceLabels: Readonly<Record<string, string>> = {
  "": "Direct or unknown",
  qr: "QR code",
  nfc: "NFC tag",
  link: "Shared link",
  wallet: "Wallet pass",
  signature: "Email signature",
  background: "Video call background",
  print: "Printed card",
  // Those of sourcesWithoutVisits.
  kiosk: "Kiosk",
  scan: "Paper card",
  hand: "Added by hand",
};

export const deviceLabels: Readonly<Record<string, string>> = {
  phone: "Phone",
  tablet: "Tablet",
  desktop: "Computer",
};

export const listLabels: Record<ListDimension, { title: string; column: string; empty: string }> = {
  page: { title: "Pages", column: "Page", empty: "No page was opened in this period." },
  link: { title: "Links", column: "Link", empty: "No link clicks in this period." },
  source: { title: "Sources", column: "Source", empty: "No visit in this period." },
  device: { title: "Devices", column: "Device", empty: "No visit with a known device in this period." },
  country: { title: "Countries", column: "Country", empty: "No visit with a known country in this period." },
  referrer: { title: "Websites", column: "Website", empty: "No visit from another website in this period." },
  campaign: { title: "Campaigns", column: "Campaign", empty: "No visit with UTM parameters in this period." },
};

export const filterLabels: Record<FilterDimension, { label: string; all: string; missing: string }> = {
  page: {
    label: "Card or profile",
    all: "All pages",
    missing: "Hours, websites and campaigns aren’t counted per page.",
  },
  link: {
    label: "Link",
    all: "All links",
    missing: "Only clicks are counted per link, and no hours, websites and campaigns.",
  },
  source: {
    label: "Source",
    all: "All sources",
    missing: "Hours, countries, websites and campaigns aren’t counted per source.",
  },
};

export const filterMessages = {
  visitors: "Each person counted where they came first that day",
  two: "The figures and the chart above are complete. Links, sources and devices are listed for one filter at a time.",
};

export const weekdays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
