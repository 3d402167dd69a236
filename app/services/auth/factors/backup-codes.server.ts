import { createHmac, randomInt } from "node:crypto";

import type { Db, Trx } from "#app/services/database/database.server.ts";

export type BackupCodes = {
  /** Replaces the codes of an account with ten new ones, which can't be shown again. */
  replace(trx: Trx, ownerId: string): Promise<string[]>;
  /** Uses up a code. Returns how many are left, or undefined if it isn't one, or was used before. */
  use(trx: Trx, given: { ownerId: string; code: string }): Promise<number | undefined>;
  count(trx: Db | Trx, ownerId: string): Promise<number>;
};

const codesPerAccount = 10;
// Crockford's base32: no letters that look like digits.
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const codeLength = 12;

/**
 * Codes of 60 random bits. They are stored as hashes with the installation's secret as the key: without it, not even all 2^60 codes could
 * be tried on a stolen database, so a slow password hash would add nothing.
 */
export function createBackupCodes({ secret }: { secret: string }): BackupCodes {
  const hashOf = (ownerId: string, code: string) =>
    createHmac("sha256", secret)
      .update(`backup code\n${ownerId}\n${normalize(code)}`)
      .digest("base64url");

  async function count(trx: Db | Trx, ownerId: string): Promise<number> {
    const { left } = await trx
      .selectFrom("backup_code")
      .select((row) => row.fn.countAll<number | string>().as("left"))
      .where("owner_id", "=", ownerId)
      .where("used_at", "is", null)
      .executeTakeFirstOrThrow();
    return Number(left);
  }

  return {
    count,
    async replace(trx, ownerId) {
      const codes = Array.from({ length: codesPerAccount }, newCode);
      await trx.deleteFrom("backup_code").where("owner_id", "=", ownerId).execute();
      const rows = codes.map((code) => ({ owner_id: ownerId, code_hash: hashOf(ownerId, code) }));
      await trx.insertInto("backup_code").values(rows).execute();
      return codes;
    },
    async use(trx, { ownerId, code }) {
      const { numUpdatedRows } = await trx
        .updateTable("backup_code")
        .set({ used_at: Date.now() })
        .where("owner_id", "=", ownerId)
        .where("code_hash", "=", hashOf(ownerId, code))
        .where("used_at", "is", null)
        .executeTakeFirst();
      return numUpdatedRows > 0n ? count(trx, ownerId) : undefined;
    },
  };
}

/** "7K2M-9QXA-0C4D". */
function newCode(): string {
  const characters = Array.from({ length: codeLength }, () => alphabet[randomInt(alphabet.length)] ?? "");
  return characters.join("").replace(/.{4}(?=.)/g, "$&-");
}

/** People type spaces, small letters, and O for 0. */
function normalize(code: string): string {
  return code
    .slice(0, 100)
    .toUpperCase()
    .replace(/[^0-9A-Z]/g, "")
    .replaceAll("O", "0")
    .replace(/[IL]/g, "1");
}
