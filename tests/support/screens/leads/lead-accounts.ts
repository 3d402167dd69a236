import type { BrowserContext } from "playwright-core";

import { mailLinkPath } from "#app/features/lead-notices/mail-link/mail-links.server.ts";
import { sharedPath } from "#app/features/leads/consent/visitor-data.server.ts";
import { linkPath as weeklyMailPath } from "#app/features/analytics/weekly-mail/week-mails.ts";
import type { Services } from "#app/services/http/context.ts";
import type { Site } from "#tests/support/browser/site.ts";
import { insert, withDatabase } from "#tests/support/program/database.ts";

const [lastWeek, yesterday] = [Date.UTC(2026, 10, 16), Date.UTC(2026, 10, 21)];

/** An owner whose leads are mailed daily, forwarded and sent to a chat, with what failed. They must be signed in. */
export async function passLeadsOn({ program, url }: Site, context: BrowserContext, ownerId: string) {
  const headers = { origin: url };
  const post = (form: Record<string, string>) => context.request.post("/leads/notifications", { form, headers });
  await post({ intent: "mail", timing: "daily", hour: "7" });
  // Nothing is sent there: a message to our own machine is refused before.
  await post({ intent: "save-chat", url: "https://chat.example/services/T0/B0", timing: "daily", hour: "17" });
  withDatabase(program.dataDir, (database) => {
    database
      .prepare("update lead_notice set last_error = ?, failed_at = ? where owner_id = ? and channel = 'chat'")
      .run("The chat answered 404: no_service", yesterday, ownerId);
    const owner_id = ownerId;
    for (const [state, address, times] of [
      ["waiting", `${"long".repeat(15)}@example.com`, {}],
      ["confirmed", "crm@example.com", { confirmed_at: lastWeek, sent_at: yesterday }],
      ["failed", "team@example.com", { confirmed_at: lastWeek, failed_at: yesterday }],
    ] as const)
      insert(database, "lead_forward", {
        id: `${state}-${ownerId}`,
        owner_id,
        address,
        created_at: lastWeek,
        ...times,
      });
    const feed = { owner_id, token_hash: ownerId, created_at: lastWeek, fetched_at: yesterday };
    insert(database, "calendar_feed", feed);
    insert(database, "weekly_mail", { owner_id, monday: 30_000, created_at: 0 });
  });
}

/** An owner who turned the mails about leads off. */
export function turnMailsOff({ program }: Site, ownerId: string) {
  const notice = { owner_id: ownerId, channel: "mail", timing: "off", hour: 8, updated_at: 0 };
  withDatabase(program.dataDir, (database) => insert(database, "lead_notice", notice));
}

type MailedPeople = Record<"full" | "premium" | "rtl", { id: string }>;

/** The links in mails about leads and analytics: `full` changed no setting, `rtl` turned mails off, `premium` passes leads on. */
export function mailedPaths(sign: Services["sign"], { full, premium, rtl }: MailedPeople) {
  const forward = (state: string) => mailLinkPath(sign, { kind: "forward", id: `${state}-${premium.id}` });
  return {
    notices: mailLinkPath(sign, { kind: "notices", id: full.id }),
    noticesOff: mailLinkPath(sign, { kind: "notices", id: rtl.id }),
    forwardToConfirm: forward("waiting"),
    forwardConfirmed: forward("confirmed"),
    forwardRemoved: forward("removed"),
    weeklyMail: weeklyMailPath(sign, premium.id),
    weeklyMailOff: weeklyMailPath(sign, full.id),
    shared: sharedPath(sign, `lead-0-${full.id}`),
    withdrawn: sharedPath(sign, `lead-3-${full.id}`),
    erased: sharedPath(sign, "erased"),
  };
}
