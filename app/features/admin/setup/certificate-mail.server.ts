import { letterMail } from "#app/services/mail/letter.ts";
import { formatDate } from "#app/services/base/format.ts";
import { transact } from "#app/services/database/database.server.ts";
import { addSetting } from "#app/services/config/setting-rows.server.ts";
import type { Services } from "#app/services/http/context.ts";

export const dayMs = 24 * 60 * 60_000;

/** How long before its end a certificate is mentioned, in days: each of them once by mail. */
export const noticeDays = [30, 7] as const;

type NoticeServices = Pick<Services, "applePasses" | "clock" | "config" | "db" | "jobs">;

/** Mails the operators 30 and 7 days before a certificate of passes ends; once each, whatever the number of nodes and restarts. */
export async function mailCertificateEnd({ applePasses, clock, config, db, jobs }: NoticeServices): Promise<void> {
  if (applePasses.state !== "ready") return;
  const { expiresAt, passTypeId } = applePasses.signer;
  const left = expiresAt - clock();
  const days = noticeDays.findLast((one) => left <= one * dayMs);
  if (days === undefined || left <= 0) return;
  await transact(db, async (trx) => {
    if (!(await addSetting(trx, `apple-pass-end ${expiresAt} ${days}`, passTypeId))) return;
    for (const to of config.adminEmails)
      await jobs.enqueue(trx, "mail", endMail({ to, baseUrl: config.baseUrl, passTypeId, expiresAt }));
  });
}

function endMail({ passTypeId, expiresAt, ...mail }: EndMail) {
  const [host, end] = [new URL(mail.baseUrl).host, formatDate(expiresAt)];
  const letter = {
    subject: `The certificate for wallet passes expires on ${end}`,
    heading: `The certificate for wallet passes expires on ${end}`,
    paragraphs: [
      `From then on ${host} can’t make or update passes in Apple Wallet (${passTypeId}). Passes that people have already added stay on their phones.`,
      "Create a new certificate for the same pass type at Apple, replace the files, and restart Meishi. docs/wallet.md describes each step.",
    ],
    action: { label: "Open the setup page", url: `${mail.baseUrl}/admin/setup` },
    notes: ["You get this email because your address is in ADMIN_EMAILS."],
  };
  return letterMail(letter, mail);
}

type EndMail = { to: string; baseUrl: string; passTypeId: string; expiresAt: number };
