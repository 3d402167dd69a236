import type { Trx } from "#app/services/database/database.server.ts";
import type { Services } from "#app/services/http/context.ts";

export const operatorNoticeJob = "operator-notice";

/** What operators should learn about the payments of an account. */
export type OperatorNotice = {
  ownerId: string;
  kind: "payment-disputed" | "payment-refunded" | "unknown-price" | "paid-twice";
  /** The ids at Stripe. The same notice has the same ones, and is shown once. */
  detail: string;
};

/** Reports to operators: in the program's log, and in theirs. */
export async function notifyOperators(
  trx: Trx,
  { jobs, log }: Pick<Services, "jobs" | "log">,
  notice: OperatorNotice,
): Promise<void> {
  log.warn(
    { notice: notice.kind, account: notice.ownerId, detail: notice.detail },
    "operators should look at a payment",
  );
  await jobs.enqueue(trx, operatorNoticeJob, notice);
}
