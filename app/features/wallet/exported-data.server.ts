import type { DataExport } from "#app/services/features/data-export.ts";

import { readPassDesign } from "./pass-design.ts";

export const walletExport: DataExport = {
  tables: ["wallet_pass", "pass_design", "google_pass"],
  sections: ({ db, ownerId }) => ({
    walletPasses: async () =>
      db
        .selectFrom("wallet_pass")
        .leftJoin("wallet_registration", "wallet_registration.card_id", "wallet_pass.card_id")
        .select(["wallet_pass.card_id", "wallet_pass.created_at", "wallet_pass.changed_at"])
        .select((row) => row.fn.count<number>("wallet_registration.device_id").as("devices"))
        .where("owner_id", "=", ownerId)
        .groupBy(["wallet_pass.card_id", "wallet_pass.created_at", "wallet_pass.changed_at"])
        .orderBy("wallet_pass.created_at")
        .execute(),
    googlePasses: async () =>
      db
        .selectFrom("google_pass")
        .select(["card_id", "created_at", "sent_at", "error"])
        .where("owner_id", "=", ownerId)
        .orderBy("created_at")
        .execute(),
    passDesigns: async () => {
      const rows = await db
        .selectFrom("pass_design")
        .select(["card_id", "design", "updated_at"])
        .where("owner_id", "=", ownerId)
        .orderBy("card_id")
        .execute();
      return rows.map(({ design, ...row }) => ({ ...row, design: readPassDesign(design) }));
    },
  }),
};
