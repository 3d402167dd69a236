import type { DataExport, ExportSource } from "#app/services/features/data-export.ts";

import { readKinds, webhookBox } from "./endpoint-row.server.ts";

export const webhooksExport: DataExport = {
  tables: ["webhook_endpoint", "webhook_delivery", "webhook_attempt"],
  explanations: [
    { name: "webhooks", text: "In data.json: where your events are sent, without secrets, and the log of 30 days." },
  ],
  sections: (source) => ({
    webhooks: () => listWebhooks(source),
    webhookDeliveries: () => readDeliveries(source),
  }),
};

async function listWebhooks({ db, ownerId, secretBox }: ExportSource) {
  const box = webhookBox({ secretBox });
  const rows = await db
    .selectFrom("webhook_endpoint")
    .select(["id", "url", "kinds", "is_on", "off_reason", "created_at", "updated_at"])
    .where("owner_id", "=", ownerId)
    .orderBy("created_at")
    .execute();
  return rows.map(({ url, kinds, ...row }) => ({
    ...row,
    url: box.read(url, ownerId) ?? null,
    kinds: readKinds(kinds),
  }));
}

/** In pages, so that a long log is never in memory. */
async function* readDeliveries({ db, ownerId, secretBox }: ExportSource) {
  const box = webhookBox({ secretBox });
  let after = "";
  for (;;) {
    const rows = await db
      .selectFrom("webhook_delivery")
      .select(["id", "endpoint_id", "kind", "content", "count", "is_test", "state", "happened_at"])
      .where("owner_id", "=", ownerId)
      .where("id", ">", after)
      .orderBy("id")
      .limit(pageSize)
      .execute();
    for (const row of rows) {
      const attempts = await db
        .selectFrom("webhook_attempt")
        .select(["started_at", "status", "problem", "answer", "duration_ms"])
        .where("delivery_id", "=", row.id)
        .orderBy("started_at")
        .execute();
      yield {
        ...row,
        attempts: attempts.map(({ answer, ...attempt }) => ({
          ...attempt,
          answer: answer && (box.read(answer, ownerId) ?? null),
        })),
      };
    }
    after = rows.at(-1)?.id ?? "";
    if (rows.length < pageSize) return;
  }
}

const pageSize = 200;
