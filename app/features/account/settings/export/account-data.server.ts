import { sql } from "kysely";

import { findSignUpDraft } from "#app/services/auth/emails/sign-up-drafts.server.ts";
import type { Db } from "#app/services/database/database.server.ts";
import type { DataExport, ExportSource } from "#app/services/features/data-export.ts";

/** The account itself and its sign-ins. Columns are named one by one, so that a secret is never exported by accident. */
export const accountExport: DataExport = {
  tables: [
    "user",
    "account",
    "session",
    "account_preference",
    "email_change",
    "known_device",
    "second_factor",
    "backup_code",
    "passkey",
    "security_event",
    "sign_up_draft",
  ],
  leftOut: {
    verification: "mailed links, which must not leave the mailbox",
    email_sign_in: "ends after minutes and consists of hashes",
    identity_code: "ends after minutes and consists of a hash",
    passkey_challenge: "ends after minutes",
    replaced_token: "ends after minutes and consists of hashes",
    handed_over_session: "consists of a hash and an encrypted address, and ends when the device is taken back",
    app_session: "says how the sessions in the export began",
    refresh_token: "ends after days and consists of hashes",
    app_link: "ends after hours and consists of hashes",
    sign_in_challenge: "ends after minutes and consists of hashes",
    operator_log: "the operator’s own record; the owner’s security events contain each action",
    account_block: "a blocked account can’t export",
    data_export: "describes the export itself",
    event: "copies of changes, deleted within seconds",
    rendered_page: "copies of public pages",
  },
  sections: ({ db, ownerId }) => ({
    account: () => readAccount(db, ownerId),
    preferences: async () =>
      (await db
        .selectFrom("account_preference")
        .select(["mails_sign_ins", "locale", "time_zone"])
        .where("owner_id", "=", ownerId)
        .executeTakeFirst()) ?? null,
    waysToSignIn: () => readWaysToSignIn(db, ownerId),
    twoStepVerification: () => readSecondFactor(db, ownerId),
    passkeys: () =>
      db
        .selectFrom("passkey")
        .select(["id", "name", "is_synced", "transports", "created_at", "last_used_at"])
        .where("owner_id", "=", ownerId)
        .orderBy("created_at")
        .execute(),
    sessions: () => readSessions(db, ownerId),
    browsers: () =>
      db
        .selectFrom("known_device")
        .select(["browser", "created_at", "seen_at", "trusted_until"])
        .where("owner_id", "=", ownerId)
        .orderBy("seen_at", "desc")
        .execute(),
    securityEvents: () => readSecurityEvents({ db, ownerId }),
  }),
};

type UserRow = { id: string; email: string; name: string; image: string | null; emailVerified: boolean | number };
type TimeColumns<Names extends string> = Record<Names, string | Date>;

async function readAccount(db: Db, ownerId: string) {
  const { rows } = await sql<UserRow & TimeColumns<"createdAt" | "updatedAt">>`select
      "id", "email", "name", "image", "emailVerified", "createdAt", "updatedAt"
    from "user" where "id" = ${ownerId}`.execute(db);
  const emailChange = await db
    .selectFrom("email_change")
    .select(["email", "expires_at"])
    .where("owner_id", "=", ownerId)
    .executeTakeFirst();
  const [user] = rows;
  return {
    ...user,
    emailVerified: Boolean(user?.emailVerified),
    requestedEmailChange: emailChange ?? null,
    keptBeforeSignUp: (await findSignUpDraft(db, ownerId)) ?? null,
  };
}

/** The password and the linked accounts, without the hash and the tokens. */
async function readWaysToSignIn(db: Db, ownerId: string) {
  const { rows } = await sql<TimeColumns<"createdAt" | "updatedAt"> & { provider: string; accountId: string }>`select
      "providerId" as "provider", "accountId", "scope", "createdAt", "updatedAt"
    from "account" where "userId" = ${ownerId} order by "createdAt"`.execute(db);
  return rows.map(({ provider, ...row }) => ({ ...row, provider: provider === "credential" ? "password" : provider }));
}

async function readSecondFactor(db: Db, ownerId: string) {
  const factor = await db
    .selectFrom("second_factor")
    .select(["enabled_at", sql<boolean | number>`totp_secret is not null`.as("app")])
    .where("owner_id", "=", ownerId)
    .executeTakeFirst();
  const codes = await db.selectFrom("backup_code").select("used_at").where("owner_id", "=", ownerId).execute();
  return {
    enabled_at: factor?.enabled_at ?? null,
    hasAuthenticatorApp: Boolean(factor?.app),
    unusedBackupCodes: codes.filter(({ used_at }) => used_at === null).length,
  };
}

async function readSessions(db: Db, ownerId: string) {
  const { rows } = await sql<TimeColumns<"createdAt" | "updatedAt" | "expiresAt">>`select
      "browser", "method", "createdAt", "updatedAt", "expiresAt", "verifiedAt"
    from "session" where "userId" = ${ownerId} order by "createdAt" desc`.execute(db);
  return rows;
}

/** The newest first. */
async function* readSecurityEvents({ db, ownerId }: Pick<ExportSource, "db" | "ownerId">) {
  for (let last: { created_at: number; id: string } | undefined; ;) {
    const before = last;
    const rows = await db
      .selectFrom("security_event")
      .select(["id", "event", "detail", "browser", "network", "created_at"])
      .where("owner_id", "=", ownerId)
      .$if(before !== undefined, (query) =>
        query.where((row) =>
          row(row.refTuple("created_at", "id"), "<", row.tuple(before?.created_at ?? 0, before?.id ?? "")),
        ),
      )
      .orderBy("created_at", "desc")
      .orderBy("id", "desc")
      .limit(pageSize)
      .execute();
    yield* rows;
    last = rows.at(-1);
    if (rows.length < pageSize) return;
  }
}

const pageSize = 500;
