import { createHmac, timingSafeEqual } from "node:crypto";

import { z } from "zod";

import type { RequestOrigin } from "#app/services/auth/audit/security-events.server.ts";
import type { AuthDeps } from "#app/services/auth/auth-deps.server.ts";
import { browserName } from "#app/services/auth/sessions/browser-name.ts";
import { completeSignIn } from "#app/services/auth/sessions/sign-ins.server.ts";
import type { SignInOutcome, SignInProof } from "#app/services/auth/sessions/sign-ins.server.ts";
import { hashToken, newSixDigits, newToken } from "#app/services/auth/tokens.server.ts";
import {
  confirmUserEmail,
  deletePassword,
  findAddress,
  findAddressOwner,
  lockUser,
} from "#app/services/auth/user-rows.server.ts";
import { createTokenSigner } from "#app/services/base/signed-token.server.ts";
import { transact } from "#app/services/database/database.server.ts";
import type { Db, Engine, Trx } from "#app/services/database/database.server.ts";
import { httpOnlyCookie, readHostCookie } from "#app/services/http/cookies.ts";

import { confirmSignUpDraft } from "./sign-up-drafts.server.ts";

/** `id` names the request, to limit the attempts to guess its code. */
export type EmailRequest = { id: string; email: string; returnTo: string | undefined };

type EmailLink = { token: string; headers: Headers };

/** `browser`: the one that asked, such as "Firefox on Windows". */
type EmailLinkCheck = { userId: string; email: string; browser: string; isSameBrowser: boolean };

export type EmailSignInResult =
  | (SignInOutcome & { userId: string; returnTo: string | undefined })
  /** Wrong, used or expired. */
  | { kind: "refused" };

const cookieName = "meishi.email_sign_in";
const validMinutes = 10;
const tokenPattern = /^[\w-]{32}$/;

/** A tuple, to keep the cookie short. */
const claimSchema = z
  .tuple([z.string(), z.string(), z.number(), z.string()])
  .transform(([browserToken, email, until, returnTo]) => ({
    browserToken,
    email,
    until,
    returnTo: returnTo || undefined,
  }));

const claimSigner = ({ secret }: AuthDeps) => createTokenSigner(secret, "email-sign-in");

// With the browser's token, which isn't stored: the table alone doesn't reveal the million possible codes.
const hashCode = ({ secret }: AuthDeps, code: string, browserToken: string) =>
  createHmac("sha256", secret).update(`email code\n${browserToken}\n${code}`).digest("base64url");

/**
 * Sends a link and a code to sign in with if the address has an account. The result is the same for every address: the cookie that binds
 * both to this browser. It holds the address, so that the page for the code is the same for every address too.
 */
export async function requestEmailSignIn(
  deps: AuthDeps,
  { email, returnTo, headers }: { email: string; returnTo: string | undefined } & RequestOrigin,
): Promise<{ cookies: string[] }> {
  const token = newToken();
  const browserToken = newToken();
  const code = newSixDigits();
  const expires_at = Date.now() + validMinutes * 60_000;
  const browser = browserName(headers.get("user-agent"));
  const row = {
    token_hash: hashToken(token),
    code_hash: hashCode(deps, code, browserToken),
    browser_hash: hashToken(browserToken),
    browser,
    return_to: returnTo ?? "",
    expires_at,
  };
  await transact(deps.db, async (trx) => {
    const owner_id = await lockReceiver(trx, email);
    if (owner_id === undefined) return;
    await trx
      .insertInto("email_sign_in")
      .values({ ...row, owner_id })
      .execute();
    await deps.enqueueMail({ kind: "sign-in", to: email, token, code, browser, validMinutes }, trx);
  });
  const claim: z.input<typeof claimSchema> = [browserToken, email, expires_at, row.return_to];
  const { isSecure } = deps;
  return {
    cookies: [httpOnlyCookie(cookieName, claimSigner(deps).sign(claim), { seconds: validMinutes * 60, isSecure })],
  };
}

/** What this browser requested in the last ten minutes. */
export function findEmailRequest(deps: AuthDeps, headers: Headers): EmailRequest | undefined {
  const claim = readClaim(deps, headers);
  return claim && { id: hashToken(claim.browserToken), email: claim.email, returnTo: claim.returnTo };
}

function readClaim(deps: AuthDeps, headers: Headers) {
  const value = readHostCookie(headers, cookieName, deps.isSecure);
  const claim = claimSchema.safeParse(claimSigner(deps).verify(value ?? "")).data;
  return claim && claim.until > Date.now() ? claim : undefined;
}

/** Checks a link without using it up: mail scanners open links too. */
export async function findEmailLink(deps: AuthDeps, link: EmailLink): Promise<EmailLinkCheck | undefined> {
  return (await findLink(deps, link))?.checked;
}

async function findLink(deps: AuthDeps, { token, headers }: EmailLink) {
  // Other text never reaches the database: PostgreSQL rejects NUL.
  if (!tokenPattern.test(token)) return undefined;
  const row = await selectValid(deps.db).where("token_hash", "=", hashToken(token)).executeTakeFirst();
  const address = row && (await findAddress(deps.db, row.owner_id));
  if (!address) return undefined;
  const isSameBrowser = findEmailRequest(deps, headers)?.id === row.browser_hash;
  return { row, checked: { userId: row.owner_id, email: address.email, browser: row.browser, isSameBrowser } };
}

/** Signs in with a link, once. `isConfirmed`: the user agreed to sign in on a browser that didn't ask. */
export async function signInWithLink(
  deps: AuthDeps,
  { token, isConfirmed, ...origin }: EmailLink & { isConfirmed: boolean } & RequestOrigin,
): Promise<EmailSignInResult> {
  const found = await findLink(deps, { token, headers: origin.headers });
  if (!found || (!found.checked.isSameBrowser && !isConfirmed)) return { kind: "refused" };
  return useRow(deps, found.row, { method: "email-link", origin });
}

/** Signs in with the code of this browser's request, once. Callers count attempts first. */
export async function signInWithCode(
  deps: AuthDeps,
  { code, ...origin }: { code: string } & RequestOrigin,
): Promise<EmailSignInResult> {
  const claim = readClaim(deps, origin.headers);
  if (!claim) return { kind: "refused" };
  const { browserToken } = claim;
  const row = await selectValid(deps.db).where("browser_hash", "=", hashToken(browserToken)).executeTakeFirst();
  const given = Buffer.from(hashCode(deps, code, browserToken));
  if (!row || !timingSafeEqual(given, Buffer.from(row.code_hash))) return { kind: "refused" };
  return useRow(deps, row, { method: "email-code", origin });
}

/** Uses up the link and its code; only one of several requests at the same time does. */
function useRow(deps: AuthDeps, row: StoredRow, { method, origin }: Pick<SignInProof, "method" | "origin">) {
  return transact(deps.db, async (trx): Promise<EmailSignInResult> => {
    const userId = row.owner_id;
    if (!(await lockUser(trx, userId)) || !(await takeRow(trx, row))) return { kind: "refused" };
    if (!(await confirmReceiver(trx, userId, deps.engine))) return { kind: "refused" };
    const outcome = await completeSignIn(deps, trx, { userId, method, origin });
    const more = { userId, returnTo: row.return_to || undefined };
    if (outcome.kind === "blocked") return { ...outcome, ...more };
    const clearingCookie = httpOnlyCookie(cookieName, "", { seconds: 0, isSecure: deps.isSecure });
    return { ...outcome, ...more, cookies: [...outcome.cookies, clearingCookie] };
  });
}

type StoredRow = { token_hash: string; owner_id: string; return_to: string };

function selectValid(db: Db) {
  return db.selectFrom("email_sign_in").selectAll().where("expires_at", ">", Date.now());
}

async function takeRow(trx: Trx, { token_hash }: StoredRow): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom("email_sign_in")
    .where("token_hash", "=", token_hash)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Locks the account that a link may be sent for: a mailbox alone doesn't open an account in use whose address isn't confirmed. */
export async function lockReceiver(trx: Trx, email: string): Promise<string | undefined> {
  const found = await findAddressOwner(trx, email);
  if (!found || !(await lockUser(trx, found.id))) return undefined;
  // The address may have been changed before the lock.
  const owner = await findAddressOwner(trx, email);
  if (owner?.id !== found.id) return undefined;
  return owner.isUnused || (await findAddress(trx, owner.id))?.isConfirmed ? owner.id : undefined;
}

/**
 * Confirms the address of an account that was never used. Anyone may have signed up with it, so the password and the draft of that sign-up
 * are removed. Returns false for an account in use whose address isn't confirmed.
 */
export async function confirmReceiver(trx: Trx, userId: string, engine: Engine): Promise<boolean> {
  const address = await findAddress(trx, userId);
  if (!address || address.isConfirmed) return address !== undefined;
  if (!(await findAddressOwner(trx, address.email))?.isUnused) return false;
  await deletePassword(trx, userId);
  await confirmSignUpDraft(trx, { userId, attempt: undefined });
  await confirmUserEmail(trx, { userId, engine });
  return true;
}
