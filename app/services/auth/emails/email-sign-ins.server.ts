import { createHash, createHmac, randomBytes, randomInt, timingSafeEqual } from "node:crypto";

import { z } from "zod";

import type { RequestOrigin } from "#app/services/auth/audit/security-events.server.ts";
import type { EnqueueMail } from "#app/services/auth/better-auth.server.ts";
import { confirmSignUpDraft } from "#app/services/auth/emails/sign-up-drafts.server.ts";
import { browserName } from "#app/services/auth/sessions/browser-name.ts";
import type { SignInMethod } from "#app/services/auth/sessions/session-rows.server.ts";
import type { SignInOutcome, SignIns } from "#app/services/auth/sessions/sign-ins.server.ts";
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
import { hostCookieAttributes, hostCookieName } from "#app/services/http/cookies.ts";

export type EmailSignIns = {
  /**
   * Sends a link and a code to sign in with if the address has an account. The result is the same for every address: the cookie that binds
   * both to this browser.
   */
  requestEmailSignIn(request: { email: string; returnTo: string | undefined } & RequestOrigin): Promise<{
    cookies: string[];
  }>;
  /** What this browser asked for in the last ten minutes. */
  findEmailRequest(headers: Headers): EmailRequest | undefined;
  /** Checks a link without using it up: mail scanners open links too. */
  findEmailLink(link: EmailLink): Promise<EmailLinkCheck | undefined>;
  /** Signs in with a link, once. `isConfirmed`: the user agreed to sign in on a browser that didn't ask. */
  signInWithLink(link: EmailLink & { isConfirmed: boolean } & RequestOrigin): Promise<EmailSignInResult>;
  /** Signs in with the code of this browser's request, once. Callers count attempts first. */
  signInWithCode(form: { code: string } & RequestOrigin): Promise<EmailSignInResult>;
};

/** `id` names the request, to limit the attempts to guess its code. */
export type EmailRequest = { id: string; email: string; returnTo: string | undefined };

type EmailLink = { token: string; headers: Headers };

/** `browser`: the one that asked, such as "Firefox on Windows". */
type EmailLinkCheck = { userId: string; email: string; browser: string; isSameBrowser: boolean };

export type EmailSignInResult =
  | (SignInOutcome & { userId: string; returnTo: string | undefined })
  /** Wrong, used or expired. */
  | { kind: "refused" };

type EmailSignInsDeps = {
  db: Db;
  engine: Engine;
  secret: string;
  isSecure: boolean;
  signIns: SignIns;
  enqueueMail: EnqueueMail;
};

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

export function createEmailSignIns(deps: EmailSignInsDeps): EmailSignIns {
  const { db, secret, isSecure, enqueueMail } = deps;
  const { requestCookie, clearingCookie, readRequest } = createRequestCookies({ secret, isSecure });
  // With the browser's token, which isn't stored: the table alone doesn't reveal the million possible codes.
  const hashCode = (code: string, browserToken: string) =>
    createHmac("sha256", secret).update(`email code\n${browserToken}\n${code}`).digest("base64url");

  async function requestEmailSignIn({ email, returnTo, headers }: Parameters<EmailSignIns["requestEmailSignIn"]>[0]) {
    const token = randomToken();
    const browserToken = randomToken();
    const code = String(randomInt(1_000_000)).padStart(6, "0");
    const expires_at = Date.now() + validMinutes * 60_000;
    const browser = browserName(headers.get("user-agent"));
    const row = {
      token_hash: hashToken(token),
      code_hash: hashCode(code, browserToken),
      browser_hash: hashToken(browserToken),
      browser,
      return_to: returnTo ?? "",
      expires_at,
    };
    await transact(db, async (trx) => {
      const owner_id = await lockReceiver(trx, email);
      if (owner_id === undefined) return;
      await trx
        .insertInto("email_sign_in")
        .values({ ...row, owner_id })
        .execute();
      await enqueueMail({ kind: "sign-in", to: email, token, code, browser, validMinutes }, trx);
    });
    return { cookies: [requestCookie({ browserToken, email, until: expires_at, returnTo })] };
  }

  function findEmailRequest(headers: Headers) {
    const claim = readRequest(headers);
    return claim && { id: hashToken(claim.browserToken), email: claim.email, returnTo: claim.returnTo };
  }

  async function findLink({ token, headers }: EmailLink) {
    // Other text never reaches the database: PostgreSQL rejects NUL.
    if (!tokenPattern.test(token)) return undefined;
    const row = await selectValid(db).where("token_hash", "=", hashToken(token)).executeTakeFirst();
    const address = row && (await findAddress(db, row.owner_id));
    if (!address) return undefined;
    return { row, email: address.email, isSameBrowser: findEmailRequest(headers)?.id === row.browser_hash };
  }

  async function findEmailLink(link: EmailLink) {
    const found = await findLink(link);
    if (!found) return undefined;
    const { row, email, isSameBrowser } = found;
    return { userId: row.owner_id, email, browser: row.browser, isSameBrowser };
  }

  async function signInWithLink({ token, isConfirmed, ...origin }: Parameters<EmailSignIns["signInWithLink"]>[0]) {
    const found = await findLink({ token, headers: origin.headers });
    if (!found || (!found.isSameBrowser && !isConfirmed)) return { kind: "refused" as const };
    return useRow(found.row, { method: "email-link", origin });
  }

  async function signInWithCode({ code, ...origin }: { code: string } & RequestOrigin) {
    const claim = readRequest(origin.headers);
    if (!claim) return { kind: "refused" as const };
    const { browserToken } = claim;
    const row = await selectValid(db).where("browser_hash", "=", hashToken(browserToken)).executeTakeFirst();
    const given = Buffer.from(hashCode(code, browserToken));
    if (!row || !timingSafeEqual(given, Buffer.from(row.code_hash))) return { kind: "refused" as const };
    return useRow(row, { method: "email-code", origin });
  }

  /** Uses up the link and its code; only one of several requests at the same time does. */
  async function useRow(row: StoredRow, { method, origin }: { method: SignInMethod; origin: RequestOrigin }) {
    return transact(db, async (trx): Promise<EmailSignInResult> => {
      const userId = row.owner_id;
      if (!(await lockUser(trx, userId)) || !(await takeRow(trx, row))) return { kind: "refused" };
      if (!(await confirmReceiver(trx, userId, deps.engine))) return { kind: "refused" };
      const outcome = await deps.signIns.completeSignIn(trx, { userId, method, origin });
      const more = { userId, returnTo: row.return_to || undefined };
      if (outcome.kind === "blocked") return { ...outcome, ...more };
      return { ...outcome, ...more, cookies: [...outcome.cookies, clearingCookie] };
    });
  }

  return { requestEmailSignIn, findEmailRequest, findEmailLink, signInWithLink, signInWithCode };
}

/** The cookie that binds a request to its browser. It holds the address, so that the page for the code is the same for every address. */
function createRequestCookies({ secret, isSecure }: { secret: string; isSecure: boolean }) {
  const signer = createTokenSigner(secret, "email-sign-in");
  const name = hostCookieName(cookieName, isSecure);

  function requestCookie({ browserToken, email, until, returnTo }: z.infer<typeof claimSchema>): string {
    const claim: z.input<typeof claimSchema> = [browserToken, email, until, returnTo ?? ""];
    return `${name}=${signer.sign(claim)}; HttpOnly; ${hostCookieAttributes(validMinutes * 60, isSecure)}`;
  }

  function readRequest(headers: Headers) {
    const all = (headers.get("cookie") ?? "").split(/; ?/);
    const value = all.find((cookie) => cookie.startsWith(`${name}=`))?.slice(name.length + 1);
    const claim = claimSchema.safeParse(signer.verify(value ?? "")).data;
    return claim && claim.until > Date.now() ? claim : undefined;
  }

  return { requestCookie, readRequest, clearingCookie: `${name}=; HttpOnly; ${hostCookieAttributes(0, isSecure)}` };
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
async function lockReceiver(trx: Trx, email: string): Promise<string | undefined> {
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
async function confirmReceiver(trx: Trx, userId: string, engine: Engine): Promise<boolean> {
  const address = await findAddress(trx, userId);
  if (!address || address.isConfirmed) return address !== undefined;
  if (!(await findAddressOwner(trx, address.email))?.isUnused) return false;
  await deletePassword(trx, userId);
  await confirmSignUpDraft(trx, { userId, attempt: undefined });
  await confirmUserEmail(trx, { userId, engine });
  return true;
}

function randomToken(): string {
  return randomBytes(24).toString("base64url");
}

function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("base64url");
}
