import { z } from "zod";

import { readReport, readReportOwner } from "#app/features/analytics/report/report-data.server.ts";
import { readOwnRange } from "#app/features/analytics/report/range-rules.ts";
import { findRecipient } from "#app/services/auth/user-rows.server.ts";
import type { Services } from "#app/services/http/context.ts";

import { wantsWeeklyMail } from "./data.server.ts";
import { linkPath } from "./mail-links.server.ts";
import { weekBefore } from "./rules.ts";
import { weekMail } from "./week-mails.ts";

const jobPayload = z.object({ ownerId: z.string(), monday: z.number().int() });

/** Sends the mail of a Monday, unless it was turned off since, no one can read it, or there is nothing to tell. */
export async function sendWeeklyMail(services: Services, payload: unknown): Promise<void> {
  const { db, mail, sign, config } = services;
  const { ownerId, monday } = jobPayload.parse(payload);
  const to = await findRecipient(db, ownerId);
  if (to === undefined || !(await wantsWeeklyMail(db, ownerId))) return;
  const owner = await readReportOwner(services, ownerId);
  const week = weekBefore(monday);
  const report = await readReport(db, owner, { range: readOwnRange(week.monday, week.sunday), filter: {} });
  if (report.totals.visits === 0 && (report.before?.visits ?? 0) === 0) return;
  const { baseUrl } = config;
  await mail.send(weekMail({ to, report, owner, offUrl: baseUrl + linkPath(sign, ownerId), baseUrl }));
}
