import { createHash, randomUUID } from "node:crypto";

import { symmetricEncrypt } from "better-auth/crypto";
import { sql } from "kysely";

import { recordSecurityEvent } from "#app/services/auth/audit/security-events.server.ts";
import type { RequestOrigin } from "#app/services/auth/audit/security-events.server.ts";
import type { AuthDeps } from "#app/services/auth/auth-deps.server.ts";
import { findAddress, timeValue } from "#app/services/auth/user-rows.server.ts";
import type { Db, Engine, Trx } from "#app/services/database/database.server.ts";

import type { Identity } from "./identities.server.ts";

/** An account at a provider that is connected to a user. `id` is ours. */
export type ConnectionRow = { id: string; providerId: string; accountId: string; userId: string; connectedAt: number };

type StoredConnection = Omit<ConnectionRow, "connectedAt"> & { createdAt: string | Date };

const toConnection = ({ createdAt, ...row }: StoredConnection): ConnectionRow => ({
  ...row,
  connectedAt: new Date(createdAt).getTime(),
});

const columns = sql`"id", "providerId", "accountId", "userId", "createdAt"`;

/** Whom an account at a provider is connected to. */
export async function findConnection(
  trx: Db | Trx,
  { providerId, accountId }: { providerId: string; accountId: string },
): Promise<ConnectionRow | undefined> {
  const { rows } = await sql<StoredConnection>`select ${columns} from "account"
    where "providerId" = ${providerId} and "accountId" = ${accountId}`.execute(trx);
  return rows[0] && toConnection(rows[0]);
}

/** The accounts at providers of a user, without the password. */
export async function listConnectionRows(trx: Db | Trx, userId: string): Promise<ConnectionRow[]> {
  const { rows } = await sql<StoredConnection>`select ${columns} from "account"
    where "userId" = ${userId} and "providerId" <> 'credential' order by "createdAt"`.execute(trx);
  return rows.map((row) => toConnection(row));
}

type ConnectionDeps = Pick<AuthDeps, "engine" | "secret">;

type NewConnection = { userId: string; providerId: string; identity: Identity };

/** Connects an account at a provider. Throws a unique violation if another request connected it at the same time. */
export async function insertConnection(
  trx: Trx,
  { userId, providerId, identity }: NewConnection,
  { engine, secret }: ConnectionDeps,
): Promise<void> {
  const { accountId } = identity;
  const now = timeValue(engine, Date.now());
  const { accessToken, refreshToken, idToken } = await encryptTokens(identity, secret);
  await sql`insert into "account" ("id", "accountId", "providerId", "userId", "accessToken", "refreshToken", "idToken",
      "scope", "createdAt", "updatedAt")
    values (${connectionId({ providerId, accountId })}, ${accountId}, ${providerId}, ${userId}, ${accessToken},
      ${refreshToken}, ${idToken}, ${identity.tokens.scopes?.join() ?? null}, ${now}, ${now})`.execute(trx);
}

/** Stores the tokens of a new sign-in. */
export async function updateConnectionTokens(
  trx: Trx,
  { id, identity }: { id: string; identity: Identity },
  { engine, secret }: ConnectionDeps,
): Promise<void> {
  const { accessToken, refreshToken, idToken } = await encryptTokens(identity, secret);
  await sql`update "account" set "accessToken" = ${accessToken}, "refreshToken" = coalesce(${refreshToken}, "refreshToken"),
    "idToken" = ${idToken}, "updatedAt" = ${timeValue(engine, Date.now())} where "id" = ${id}`.execute(trx);
}

export async function deleteConnection(trx: Trx, { userId, providerId }: { userId: string; providerId: string }) {
  const { numAffectedRows } = await sql`delete from "account"
    where "userId" = ${userId} and "providerId" = ${providerId} and "providerId" <> 'credential'`.execute(trx);
  return (numAffectedRows ?? 0n) > 0n;
}

type Reported = {
  userId: string;
  event: "account-linked" | "account-unlinked";
  name: string;
  origin: RequestOrigin;
};

/** Records that something was connected or disconnected, and mails the owner. `name`: of the provider. */
export async function reportConnection(deps: AuthDeps, trx: Trx, { userId, event, name, origin }: Reported) {
  await recordSecurityEvent(deps, trx, { ownerId: userId, event, detail: name, origin });
  const user = await findAddress(trx, userId);
  const kind = event === "account-linked" ? "account-connected" : "account-disconnected";
  if (user) await deps.enqueueMail({ kind, to: user.email, provider: name }, trx);
}

/** The encrypted ID token of a user's last sign-in with a provider, which its logout requires. */
export async function findIdToken(
  db: Db | Trx,
  { userId, providerId }: { userId: string; providerId: string },
): Promise<string | undefined> {
  const { rows } = await sql<{ idToken: string | null }>`select "idToken" from "account"
    where "userId" = ${userId} and "providerId" = ${providerId}`.execute(db);
  return rows[0]?.idToken ?? undefined;
}

/** Creates a user whose address a provider has confirmed. Throws a unique violation if the address was taken at the same time. */
export async function insertConfirmedUser(
  trx: Trx,
  { email, name, engine }: { email: string; name: string; engine: Engine },
): Promise<string> {
  const id = randomUUID();
  const now = timeValue(engine, Date.now());
  await sql`insert into "user" ("id", "name", "email", "emailVerified", "createdAt", "updatedAt")
    values (${id}, ${name}, ${email}, true, ${now}, ${now})`.execute(trx);
  return id;
}

/** The same for each attempt: the primary key keeps two users from connecting one account. */
function connectionId({ providerId, accountId }: { providerId: string; accountId: string }): string {
  return createHash("sha256").update(`${providerId}\n${accountId}`).digest("base64url");
}

async function encryptTokens({ tokens }: Identity, secret: string) {
  const encrypt = async (token: string | undefined) =>
    token ? symmetricEncrypt({ key: encryptionKey(secret), data: token }) : null;
  return {
    accessToken: await encrypt(tokens.accessToken),
    refreshToken: await encrypt(tokens.refreshToken),
    idToken: await encrypt(tokens.idToken),
  };
}

/** The secret for tokens, which isn't that of cookies. */
export function encryptionKey(secret: string): string {
  return createHash("sha256").update(`oauth tokens\n${secret}`).digest("base64url");
}
