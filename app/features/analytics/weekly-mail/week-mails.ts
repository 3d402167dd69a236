import { letterMail } from "#app/services/mail/letter.ts";
import { isoDayOf } from "#app/services/preferences/owner-days.ts";
import type { ReportOwner } from "#app/features/analytics/report/report-data.server.ts";
import { labelOf } from "#app/features/analytics/report/report-labels.ts";
import { sourceLabels } from "#app/features/analytics/report/report-messages.ts";
import type { Report } from "#app/features/analytics/report/report-rules.ts";
import { formatDate, formatNumber } from "#app/services/base/format.ts";
import { plainLine, shortened } from "#app/services/base/plain-text.ts";
import { readSignedMailLink, signMailLink, stopPath } from "#app/services/mail/mail-links.server.ts";
import type { Mail } from "#app/services/mail/mail.server.ts";
import type { Services } from "#app/services/http/context.ts";

type WeekMail = {
  to: string;
  report: Report;
  owner: ReportOwner;
  /** The page that turns these mails off without signing in. */
  offUrl: string;
  baseUrl: string;
};

/** A week in numbers. Without the plan for it, only the totals, as on the page. */
export function weekMail({ to, report, owner, offUrl, baseUrl }: WeekMail): Mail {
  const { from, to: last } = report.range;
  const { visits } = report.totals;
  const { hasAnalytics } = owner.plan;
  const dateOf = (day: number) => formatDate(day * msPerDay);
  const letter = {
    subject: `Your week: ${counted(visits, "visit")}`,
    heading: `Your week: ${counted(visits, "visit")}`,
    paragraphs: [
      `From ${dateOf(from)} to ${dateOf(last)}${hasAnalytics ? ", compared with the week before" : ""}:`,
      ...totalsOf(report, hasAnalytics),
      ...(hasAnalytics ? bestOf(report, owner) : []),
      ...(hasAnalytics ? report.notes : []).map(({ day, text }) => `Your note on ${dateOf(day)}: ${text}`),
    ],
    action: {
      label: "Open your analytics",
      url: hasAnalytics
        ? `${baseUrl}/analytics?range=own&from=${isoDayOf(from)}&to=${isoDayOf(last)}`
        : `${baseUrl}/analytics`,
    },
    notes: [
      "You get this email on Mondays, because you turned it on. It isn’t sent after two weeks without a visit.",
      { label: "Turn it off without signing in", url: offUrl },
    ],
  };
  return { ...letterMail(letter, { to, baseUrl }), unsubscribeUrl: stopPath(offUrl) };
}

const msPerDay = 86_400_000;

const measures = [
  ["visits", "Visits"],
  ["scans", "QR scans"],
  ["saves", "Saves"],
  ["clicks", "Link clicks"],
  ["leads", "Leads"],
] as const;

function totalsOf({ totals, before }: Report, isCompared: boolean): string[] {
  return measures.map(([measure, label]) => {
    const n = totals[measure];
    const change = n - (before?.[measure] ?? 0);
    const compared = change === 0 ? "as many" : `${formatNumber(Math.abs(change))} ${change > 0 ? "more" : "fewer"}`;
    return `${label}: ${formatNumber(n)}${isCompared ? ` (${compared})` : ""}`;
  });
}

/** Not a website: anyone can make one up, and it would be a link in a mail of ours. */
function bestOf({ lists }: Report, owner: ReportOwner): string[] {
  const link = lists.link.toSorted((a, b) => b.counts.clicks - a.counts.clicks)[0];
  const source = lists.source.find(
    ({ value, counts }) => value !== "" && Object.hasOwn(sourceLabels, value) && counts.visits > 0,
  );
  return [
    link &&
      link.counts.clicks > 0 &&
      `Most followed link: ${shortened(plainLine(labelOf("link", link.value, owner)), 60)} (${link.counts.clicks})`,
    source && `Best source: ${labelOf("source", source.value, owner)} (${counted(source.counts.visits, "visit")})`,
  ].filter((text) => typeof text === "string");
}

function counted(n: number, unit: string): string {
  return `${formatNumber(n)} ${unit}${n === 1 ? "" : "s"}`;
}

type Sign = Services["sign"];

const purpose = "link in a weekly mail";

/** The pages of these links, before their tokens. */
export const weeklyMailPath = "/weekly-mail";

/** The path of the page that turns an owner's weekly mail off. */
export function linkPath(sign: Sign, ownerId: string): string {
  return `${weeklyMailPath}/${signMailLink(sign, purpose, ownerId)}`;
}

/** The owner of a link that we signed. */
export function readLink(sign: Sign, token: string): string | undefined {
  return readSignedMailLink(sign, purpose, token);
}
