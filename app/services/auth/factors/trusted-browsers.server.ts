import type { Db } from "#app/services/database/database.server.ts";

/** A browser that needs no second factor until `until` (epoch milliseconds). */
export type TrustedBrowser = { id: string; browser: string; seenAt: number; until: number };

export type TrustedBrowsers = {
  listTrustedBrowsers(userId: string): Promise<TrustedBrowser[]>;
  /** From now on the browser is asked for a second factor again; without an id, all are. */
  untrustBrowsers(of: { userId: string; id?: string }): Promise<void>;
};

export function createTrustedBrowsers({ db }: { db: Db }): TrustedBrowsers {
  return {
    async listTrustedBrowsers(userId) {
      const rows = await db
        .selectFrom("known_device")
        .selectAll()
        .where("owner_id", "=", userId)
        .where("trusted_until", ">", Date.now())
        .orderBy("seen_at", "desc")
        .execute();
      // A hash of the cookie's token, which can't be used in its place.
      return rows.map(({ token_hash, browser, seen_at, trusted_until }) => ({
        id: token_hash,
        browser,
        seenAt: seen_at,
        until: trusted_until,
      }));
    },
    async untrustBrowsers({ userId, id }) {
      const update = db.updateTable("known_device").set({ trusted_until: 0 }).where("owner_id", "=", userId);
      await (id === undefined ? update : update.where("token_hash", "=", id)).execute();
    },
  };
}
