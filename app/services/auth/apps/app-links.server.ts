import { createHash, createHmac } from "node:crypto";

import type { RequestOrigin } from "#app/services/auth/audit/security-events.server.ts";
import type { AuthDeps } from "#app/services/auth/auth-deps.server.ts";
import type { AccountMail } from "#app/services/auth/better-auth.server.ts";
import { confirmReceiver, lockReceiver } from "#app/services/auth/emails/email-sign-ins.server.ts";
import { confirmAppSignUp, signConfirmLink, startSignUp } from "#app/services/auth/emails/sign-ups.server.ts";
import { browserName } from "#app/services/auth/sessions/browser-name.ts";
import { readMethod } from "#app/services/auth/sessions/session-rows.server.ts";
import type { SignInMethod } from "#app/services/auth/sessions/session-rows.server.ts";
import { completeSignIn } from "#app/services/auth/sessions/sign-ins.server.ts";
import type { SignInOutcome } from "#app/services/auth/sessions/sign-ins.server.ts";
import { hashToken, newSixDigits, newToken } from "#app/services/auth/tokens.server.ts";
import { findAddress, findAddressOwner, lockUser } from "#app/services/auth/user-rows.server.ts";
import { isEqualText } from "#app/services/base/signed-token.server.ts";
import { transact } from "#app/services/database/database.server.ts";
import type { Db, Trx } from "#app/services/database/database.server.ts";

/** The address that leads back to the app, and its PKCE challenge (RFC 7636): "" without one. */
export type AppRedirect = { redirectTo: string; challenge: string };

type LinkKind = "sign-in" | "recovery" | "sign-up";
type StoredLink = { token_hash: string; owner_id: string; kind: string; detail: string } & {
  redirect_to: string;
  challenge: string;
};

const minuteMs = 60_000;
const validMinutes: Record<LinkKind, number> = { "sign-in": 10, recovery: 60, "sign-up": 24 * 60 };
const codeMinutes = 5;
const tokenPattern = /^[\w-]{32}$/;
/** As clients name them. */
const linkTypes: Record<LinkKind, string> = { "sign-in": "magiclink", recovery: "recovery", "sign-up": "signup" };

// With the secret: all six digits could be tried on a plain hash.
const hashDigits = ({ secret }: AuthDeps, ownerId: string, digits: string) =>
  createHmac("sha256", secret).update(`app code\n${ownerId}\n${digits}`).digest("base64url");

/**
 * Mails a link, and digits that replace older ones, to an account that its mailbox may open. Callers don't learn whether there is one.
 */
export async function requestAppLink(
  deps: AuthDeps,
  {
    email,
    kind,
    headers,
    redirectTo,
    challenge,
  }: { email: string; kind: "sign-in" | "recovery" } & AppRedirect & RequestOrigin,
): Promise<void> {
  const digits = newSixDigits();
  await transact(deps.db, async (trx) => {
    const ownerId = await lockReceiver(trx, email);
    if (ownerId === undefined) return;
    const digits_hash = hashDigits(deps, ownerId, digits);
    const older = trx.updateTable("app_link").set({ digits_hash: "" }).where("owner_id", "=", ownerId);
    await older.where("kind", "=", kind).execute();
    const { token, url } = await insertLink(deps, trx, { redirectTo, challenge, ownerId, kind, digits_hash });
    const browser = `App (${browserName(headers.get("user-agent"))})`;
    const valid = validMinutes[kind];
    const mail: AccountMail =
      kind === "recovery"
        ? { kind: "reset", to: email, token, url, code: digits, validHours: valid / 60 }
        : { kind: "sign-in", to: email, token, url, code: digits, browser, validMinutes: valid };
    await deps.enqueueMail(mail, trx);
  });
}

type NewLink = AppRedirect & { ownerId: string; kind: LinkKind; detail?: string; digits_hash?: string };

async function insertLink(deps: AuthDeps, trx: Trx, { ownerId, redirectTo, ...link }: NewLink) {
  const token = newToken();
  const expires_at = Date.now() + validMinutes[link.kind] * minuteMs;
  const row = { ...link, token_hash: hashToken(token), owner_id: ownerId, redirect_to: redirectTo, expires_at };
  await trx.insertInto("app_link").values(row).execute();
  const query = new URLSearchParams({ token, type: linkTypes[link.kind], redirect_to: redirectTo });
  return { token, url: `${deps.baseUrl}/auth/v1/verify?${query}` };
}

/** Creates an account that its owner confirms with a mailed link, or mails the owner of the one that has the address. */
export async function signUpFromApp(
  deps: AuthDeps,
  { email, password, ...redirect }: { email: string; password: string } & AppRedirect,
): Promise<void> {
  const { attempt } = await startSignUp(deps, { email, password });
  await sendSignUpLink(deps, { email, kind: "sign-up", attempt, ...redirect });
}

/**
 * Mails a link for the last sign-up with this address again, if it waits to be confirmed. Another challenge may be a stranger's, or that of
 * the owner after a stranger's sign-up: then the link proves the mailbox alone, and its session may set another password.
 */
export async function resendAppSignUp(
  deps: AuthDeps,
  { email, redirectTo, challenge }: { email: string; redirectTo: string | undefined; challenge: string },
): Promise<void> {
  const owner = await findAddressOwner(deps.db, email);
  const last = await deps.db
    .selectFrom("app_link")
    .select(["detail", "challenge", "redirect_to"])
    .where("owner_id", "=", owner?.id ?? "")
    .where("kind", "=", "sign-up")
    .orderBy("expires_at", "desc")
    .executeTakeFirst();
  if (!last) return;
  const kind = challenge === "" || challenge === last.challenge ? "sign-up" : "recovery";
  const redirect = { challenge: challenge || last.challenge, redirectTo: redirectTo ?? last.redirect_to };
  await sendSignUpLink(deps, { email, kind, attempt: last.detail, ...redirect });
}

async function sendSignUpLink(deps: AuthDeps, given: { email: string; kind: LinkKind; attempt: string } & AppRedirect) {
  const { email, kind, attempt, ...redirect } = given;
  await transact(deps.db, async (trx) => {
    const owner = await findAddressOwner(trx, email);
    if (!owner || !(await lockUser(trx, owner.id))) return;
    if ((await findAddress(trx, owner.id))?.isConfirmed)
      return deps.enqueueMail({ kind: "known-address", to: email }, trx);
    const link = { ...redirect, ownerId: owner.id, kind, detail: attempt };
    const { token, url } = await insertLink(deps, trx, link);
    return deps.enqueueMail({ kind: "confirm", to: email, token, url, validHours: validMinutes[kind] / 60 }, trx);
  });
}

export type FollowedLink =
  /** `code`: what the app that asked gets the session for. */
  | ({ kind: "code"; code: string } & Pick<AppRedirect, "redirectTo">)
  /** Only the browser that signed up, or a new password, may confirm without a code: our own page asks. */
  | { kind: "confirm"; token: string }
  | { kind: "session"; outcome: SignInOutcome; linkKind: LinkKind; redirectTo: string }
  | { kind: "refused" };

/** Uses up a mailed link that a browser has opened; that of a sign-up once the account is confirmed, because a code may get lost. */
export async function followAppLink(
  deps: AuthDeps,
  { token, ...origin }: { token: string } & RequestOrigin,
): Promise<FollowedLink> {
  return withLink(deps, { token, kinds: ["sign-in", "recovery", "sign-up"] }, async (trx, link) => {
    const { owner_id: ownerId, redirect_to: redirectTo, challenge, detail } = link;
    const kind = readKind(link.kind);
    if (challenge !== "") {
      if (kind !== "sign-up") await takeLink(trx, link);
      const proof = kind === "sign-up" ? `sign-up:${detail}` : kind;
      return {
        kind: "code",
        redirectTo,
        code: await insertCode(trx, { ownerId, detail: proof, redirectTo, challenge }),
      };
    }
    if (kind === "sign-up") {
      const email = (await findAddress(trx, ownerId))?.email ?? "";
      return { kind: "confirm", token: signConfirmLink(deps, { email, attempt: detail }) };
    }
    const outcome = await useLink(deps, trx, { link, origin });
    return outcome.kind === "refused" ? outcome : { kind: "session", outcome, linkKind: kind, redirectTo };
  });
}

type LinkProof = { token: string } | { email: string; digits: string };

/** Signs in with the token of a mailed link, or with its six digits, once. Callers count attempts first. */
export function signInWithAppLink(
  deps: AuthDeps,
  { proof, kinds, origin }: { proof: LinkProof; kinds: readonly LinkKind[]; origin: RequestOrigin },
): Promise<SignInOutcome | { kind: "refused" }> {
  return withLink(deps, { ...proof, kinds }, (trx, link) => useLink(deps, trx, { link, origin }));
}

/** Gets the session of a code that an app got in its address, once. `verifier`: what the challenge is a hash of (RFC 7636 §4.6). */
export function exchangeAppCode(
  deps: AuthDeps,
  { code, verifier, ...origin }: { code: string; verifier: string } & RequestOrigin,
): Promise<SignInOutcome | { kind: "refused" }> {
  return withLink(deps, { token: code, kinds: ["code"] }, async (trx, link) => {
    // Also one with a wrong verifier is used up.
    await takeLink(trx, link);
    const challenge = createHash("sha256").update(verifier).digest("base64url");
    if (!isEqualText(challenge, link.challenge)) return { kind: "refused" };
    const [kind = "", detail = ""] = link.detail.split(":");
    const userId = link.owner_id;
    if (kind === "sign-up") {
      const outcome = await confirmAppSignUp(deps, trx, { userId, attempt: detail, origin });
      const links = trx.deleteFrom("app_link").where("owner_id", "=", userId).where("kind", "=", "sign-up");
      if (outcome.kind !== "refused") await links.execute();
      return outcome;
    }
    if (kind === "browser") {
      // The browser has passed each factor.
      const proof = { userId, method: readMethod(detail), origin, isFull: true };
      return completeSignIn(deps, trx, proof);
    }
    return signInByMailbox(deps, trx, { userId, isRecovery: kind === "recovery", origin });
  });
}

/** Starts a session of an app whose user has just signed in in this browser, with each factor that the account has. */
export function signInFromBrowser(
  deps: AuthDeps,
  { userId, method, ...origin }: { userId: string; method: SignInMethod } & RequestOrigin,
): Promise<SignInOutcome> {
  return transact(deps.db, async (trx) => {
    await lockUser(trx, userId);
    return completeSignIn(deps, trx, { userId, method, origin, isFull: true });
  });
}

/** A code for an app whose user is signed in in this browser. */
export function createBrowserCode(
  { db }: AuthDeps,
  { userId: ownerId, method, ...redirect }: { userId: string; method: SignInMethod } & AppRedirect,
): Promise<string> {
  return transact(db, (trx) => insertCode(trx, { ownerId, detail: `browser:${method}`, ...redirect }));
}

async function insertCode(
  trx: Trx,
  { ownerId, detail, redirectTo, challenge }: AppRedirect & { ownerId: string; detail: string },
) {
  const code = newToken();
  const expires_at = Date.now() + codeMinutes * minuteMs;
  const row = {
    token_hash: hashToken(code),
    owner_id: ownerId,
    kind: "code",
    detail,
    redirect_to: redirectTo,
  } as const;
  await trx
    .insertInto("app_link")
    .values({ ...row, challenge, expires_at })
    .execute();
  return code;
}

type Wanted = LinkProof & { kinds: readonly (LinkKind | "code")[] };

/** Runs `use` with a valid link of a locked account. */
async function withLink<Result>(
  deps: AuthDeps,
  wanted: Wanted,
  use: (trx: Trx, link: StoredLink) => Promise<Result>,
): Promise<Result | { kind: "refused" }> {
  // Other text never reaches the database: PostgreSQL rejects NUL.
  if ("token" in wanted && !tokenPattern.test(wanted.token)) return { kind: "refused" };
  const known = await findLink(deps, deps.db, wanted);
  if (!known) return { kind: "refused" };
  return transact(deps.db, async (trx): Promise<Result | { kind: "refused" }> => {
    if (!(await lockUser(trx, known.owner_id))) return { kind: "refused" };
    // Another request may have used it until the lock was free.
    const link = await findLink(deps, trx, wanted);
    return link ? use(trx, link) : { kind: "refused" };
  });
}

async function findLink(deps: AuthDeps, db: Db | Trx, wanted: Wanted): Promise<StoredLink | undefined> {
  const valid = db
    .selectFrom("app_link")
    .selectAll()
    .where("expires_at", ">", Date.now())
    .where("kind", "in", wanted.kinds);
  if ("token" in wanted) return valid.where("token_hash", "=", hashToken(wanted.token)).executeTakeFirst();
  const owner = await findAddressOwner(db, wanted.email);
  if (!owner) return undefined;
  const digits_hash = hashDigits(deps, owner.id, wanted.digits);
  return valid.where("owner_id", "=", owner.id).where("digits_hash", "=", digits_hash).executeTakeFirst();
}

async function takeLink(trx: Trx, { token_hash }: StoredLink): Promise<void> {
  await trx.deleteFrom("app_link").where("token_hash", "=", token_hash).execute();
}

type Used = { link: StoredLink; origin: RequestOrigin };

/** A sign-up without a code proves the mailbox alone: whoever signed up may be a stranger, so their password goes. */
async function useLink(deps: AuthDeps, trx: Trx, { link, origin }: Used): Promise<SignInOutcome | { kind: "refused" }> {
  await takeLink(trx, link);
  return signInByMailbox(deps, trx, { userId: link.owner_id, isRecovery: link.kind !== "sign-in", origin });
}

type Mailbox = { userId: string; isRecovery: boolean; origin: RequestOrigin };

/** `isRecovery`: the session may set a password at once. */
async function signInByMailbox(deps: AuthDeps, trx: Trx, { userId, isRecovery, origin }: Mailbox) {
  if (!(await confirmReceiver(trx, userId, deps.engine))) return { kind: "refused" as const };
  return completeSignIn(deps, trx, { userId, method: "email-link", origin, verifiedAt: isRecovery ? Date.now() : 0 });
}

function readKind(stored: string): LinkKind {
  return stored === "recovery" || stored === "sign-up" ? stored : "sign-in";
}
