import { createHmac, randomBytes, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { z } from "zod";

import { createPasswordHashes } from "#app/services/auth/passwords/password-hashes.server.ts";
import type { Db, Engine } from "#app/services/database/database.server.ts";

/** The least that Argon2 allows (RFC 9106 §3.1): what tests are about is not the time that a password takes. */
export const cheapPasswordCost = { memory: 8, passes: 1, parallelism: 1 };

export const seededPassword = "correct horse battery";

const weekMs = 7 * 24 * 3_600_000;
let passwordHash: Promise<string> | undefined;

/**
 * The rows of a confirmed account with one session, in better-auth's tables. Its first visit makes its profile. Saves a test the
 * sign-up form, the mail and two password hashes. `isConfirmed` is how the engine writes "true".
 */
export async function accountRows<True extends 1 | true>(email: string, isConfirmed: True) {
  passwordHash ??= createPasswordHashes({ cost: cheapPasswordCost }).hash(seededPassword);
  const id: string = randomUUID();
  const token = randomBytes(24).toString("base64url");
  const now = new Date().toISOString();
  const times = { createdAt: now, updatedAt: now };
  const name = email.split("@")[0] ?? "";
  const rows = {
    user: { id, name, email, emailVerified: isConfirmed, ...times },
    account: {
      id: randomUUID(),
      accountId: id,
      providerId: "credential",
      userId: id,
      password: await passwordHash,
      ...times,
    },
    session: {
      id: randomUUID(),
      token,
      userId: id,
      expiresAt: new Date(Date.now() + weekMs).toISOString(),
      ipAddress: "",
      userAgent: "",
      browser: "Unknown browser",
      method: "password",
      verifiedAt: Date.now(),
      ...times,
    },
  };
  return { id, token, rows };
}

/** The cookie of a session, signed with the secret in the data folder, on plain HTTP. */
export function sessionCookie(token: string, dataDir: string): { name: string; value: string } {
  const { auth } = z
    .object({ auth: z.string() })
    .parse(JSON.parse(readFileSync(join(dataDir, "secrets.json"), "utf8")));
  const signature = createHmac("sha256", auth).update(token).digest("base64");
  return { name: "meishi.session_token", value: encodeURIComponent(`${token}.${signature}`) };
}

/** A profile without an account, for tests of what hangs on profiles alone. */
export async function insertProfile(db: Db, id = "ada"): Promise<void> {
  const times = { created_at: 1, updated_at: 1 };
  const row = { owner_id: id, display_name: id, bio: "", ...times };
  await db.insertInto("profile").values(row).execute();
}

/** An account without a profile, as it is before the first visit. */
export async function insertUser(db: Db, engine: Engine, id = "ada"): Promise<void> {
  const user = { id, name: id, email: `${id}@example.com`, emailVerified: engine === "sqlite" ? 1 : true };
  const times = { createdAt: new Date().toISOString(), updatedAt: new Date().toISOString() };
  await db
    .insertInto("user" as "setting")
    .values({ ...user, ...times } as never)
    .execute();
}
