import { createHmac, randomInt } from "node:crypto";

import type { AuthDeps } from "#app/services/auth/auth-deps.server.ts";
import { listSecrets } from "#app/services/base/signed-token.server.ts";
import type { Db, Trx } from "#app/services/database/database.server.ts";

const codesPerAccount = 10;
// Crockford's base32: no letters that look like digits.
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const codeLength = 12;

type CodeDeps = Pick<AuthDeps, "secret" | "previousSecret">;

/**
 * Codes of 60 random bits. They are stored as hashes with the installation's secret as the key: without it, not even all 2^60 codes could
 * be tried on a stolen database, so a slow password hash would add nothing.
 */
function hashCode(secret: string, ownerId: string, code: string): string {
  return createHmac("sha256", secret)
    .update(`backup code\n${ownerId}\n${normalize(code)}`)
    .digest("base64url");
}

/** How many codes were not used yet. */
export async function countBackupCodes(trx: Db | Trx, ownerId: string): Promise<number> {
  const { left } = await trx
    .selectFrom("backup_code")
    .select((row) => row.fn.countAll<number | string>().as("left"))
    .where("owner_id", "=", ownerId)
    .where("used_at", "is", null)
    .executeTakeFirstOrThrow();
  return Number(left);
}

/** Replaces the codes of an account with ten new ones, which can't be shown again. */
export async function replaceBackupCodes(deps: CodeDeps, trx: Trx, ownerId: string): Promise<string[]> {
  const codes = Array.from({ length: codesPerAccount }, newCode);
  await trx.deleteFrom("backup_code").where("owner_id", "=", ownerId).execute();
  const rows = codes.map((code) => ({ owner_id: ownerId, code_hash: hashCode(deps.secret, ownerId, code) }));
  await trx.insertInto("backup_code").values(rows).execute();
  return codes;
}

/** Uses up a code. Returns how many are left, or undefined if it isn't one, or was used before. */
export async function takeBackupCode(
  deps: CodeDeps,
  trx: Trx,
  { ownerId, code }: { ownerId: string; code: string },
): Promise<number | undefined> {
  const hashes = listSecrets(deps).map((secret) => hashCode(secret, ownerId, code));
  const { numUpdatedRows } = await trx
    .updateTable("backup_code")
    .set({ used_at: Date.now() })
    .where("owner_id", "=", ownerId)
    .where("code_hash", "in", hashes)
    .where("used_at", "is", null)
    .executeTakeFirst();
  return numUpdatedRows > 0n ? countBackupCodes(trx, ownerId) : undefined;
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
