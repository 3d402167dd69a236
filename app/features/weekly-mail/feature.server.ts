import type { Feature } from "#app/services/features/feature.ts";
import { stopMailsRoutes } from "#app/services/mail/stop-mails-routes.server.ts";

import { deleteWeeklyMail, enqueueWeeklyMails, saveWeeklyMail, weeklyMailJob } from "./data.server.ts";
import { readLink, weeklyMailPath } from "./mail-links.server.ts";
import { sendWeeklyMail } from "./weekly-mail-tasks.server.ts";

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
