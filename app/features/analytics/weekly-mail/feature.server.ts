import { z } from "zod";

import { readOwnRange } from "#app/features/analytics/report/range-rules.ts";
import { readReport, readReportOwner } from "#app/features/analytics/report/report-data.server.ts";
import { findRecipient } from "#app/services/auth/user-rows.server.ts";
import type { Feature } from "#app/services/features/feature.ts";
import type { Services } from "#app/services/http/context.ts";
import { stopMailsRoutes } from "#app/services/mail/mail-links.server.ts";

import { deleteWeeklyMail, enqueueWeeklyMails, saveWeeklyMail, weeklyMailJob, wantsWeeklyMail } from "./data.server.ts";
import { weekBefore } from "./rules.ts";
import { linkPath, readLink, weeklyMailPath, weekMail } from "./week-mails.ts";

export const feature: Feature = {
  rawRoutes: stopMailsRoutes(weeklyMailPath, async ({ db, sign, clock }, token) => {
    const ownerId = readLink(sign, token);
    if (ownerId !== undefined) await saveWeeklyMail(db, { ownerId, isOn: false, now: clock() });
    return ownerId !== undefined;
  }),
  secretPaths: [`${weeklyMailPath}/:token`],
  jobs: { [weeklyMailJob]: sendWeeklyMail },
  maintenance: [{ name: "weekly mails", run: enqueueWeeklyMails }],
  subscribers: [
    {
      name: "weekly mail of deleted accounts",
      kinds: ["account.deleted"],
      once: (_, { ownerId }, trx) => deleteWeeklyMail(trx, ownerId),
    },
  ],
  storedData: [
    {
      name: "weekly mail",
      about: "owners",
      what: "**Whether you want the weekly email** about your statistics, and the day of the next one",
      why: "so that it is sent",
      howLong: "until you turn it off or delete your account",
    },
  ],
  dataExport: {
    tables: ["weekly_mail"],
    sections: ({ db, ownerId }) => ({
      weeklyMail: () =>
        db.selectFrom("weekly_mail").select(["monday", "created_at"]).where("owner_id", "=", ownerId).execute(),
    }),
  },
};

const jobPayload = z.object({ ownerId: z.string(), monday: z.number().int() });

/** Sends the mail of a Monday, unless it was turned off since, no one can read it, or there is nothing to tell. */
async function sendWeeklyMail(services: Services, payload: unknown): Promise<void> {
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
