import type { Feature } from "#app/services/features/feature.ts";

import { operatorNoticeJob } from "#app/features/billing/data.server.ts";

import { mailCertificateEnd } from "./setup/certificate-mail.server.ts";
import { logNotice, sweepLog } from "./operator-log-data.server.ts";

export const feature: Feature = {
  operatorPages: ["/admin"],
  jobs: { [operatorNoticeJob]: logNotice },
  maintenance: [
    { name: "operator’s log", run: sweepLog },
    { name: "end of the pass certificates", run: mailCertificateEnd },
  ],
};
