import { SignJWT } from "jose";
import type { Logger } from "pino";

import type { GoogleWalletAccount } from "#app/services/config/google-wallet-account.server.ts";

import { createAccessTokens } from "./access-token.server.ts";
import { readResponse } from "./google-request.server.ts";
import type { GoogleFailure } from "./google-request.server.ts";

/** A class or an object with its id, "issuer.suffix". */
export type GoogleResource = { id: string; [field: string]: unknown };

export type GooglePass = { class: GoogleResource; object: GoogleResource };

export type GoogleWallet = {
  issuerId: string;
  /**
   * Makes the object what it should be: changes it, or creates it, and its class if that is missing. Repeating it does no harm. All
   * requests together take at most `timeoutMs`.
   */
  save: (pass: GooglePass, timeoutMs: number) => Promise<{ kind: "saved" } | GoogleFailure>;
  /** Where a person saves an object that exists. `origin`: of the site with the button. */
  saveLink: (objectId: string, origin: string) => Promise<string>;
};

type Deps = { clock: () => number; log: Logger };

const apiHost = "https://walletobjects.googleapis.com";

/**
 * Google Wallet's REST API for generic passes.
 * https://developers.google.com/wallet/reference/rest/v1/genericobject and …/genericclass
 */
export function createGoogleWallet(account: GoogleWalletAccount, { clock, log }: Deps): GoogleWallet {
  const tokens = createAccessTokens(account, clock);
  const base = `${account.apiUrl ?? apiHost}/walletobjects/v1`;
  const pauses = createGooglePauses(clock);

  async function send(method: "POST" | "PATCH", path: string, { body, signal }: Sending) {
    const token = await tokens.get(signal);
    if (token.kind !== "ok") return { ...token, isOfPass: false };
    return readResponse(`${base}/${path}`, {
      method,
      headers: { authorization: `Bearer ${token.token}`, "content-type": "application/json; charset=utf-8" },
      body: JSON.stringify(body),
      signal,
    });
  }

  /** With a token that was revoked before its time, once more with a new one. */
  async function sendTwice(...request: Parameters<typeof send>) {
    const response = await send(...request);
    if (response.kind !== "response" || response.status !== 401) return response;
    tokens.drop();
    return send(...request);
  }

  /** Saving starts with a PATCH, because most passes exist; the next step follows from the status of the last. */
  async function save(pass: GooglePass, signal: AbortSignal): Promise<{ kind: "saved" } | GoogleFailure> {
    const { object } = pass;
    const steps = {
      change: () => sendTwice("PATCH", `genericObject/${object.id}`, { body: object, signal }),
      create: () => sendTwice("POST", "genericObject", { body: withoutNulls(object), signal }),
      createClass: () => sendTwice("POST", "genericClass", { body: pass.class, signal }),
    };
    let step: keyof typeof steps = "change";
    for (let count = 0; count < maxSteps; count++) {
      const response = await steps[step]();
      if (response.kind !== "response") return response;
      const { status, reason } = response;
      const next = nextStep(step, status);
      if (next === "saved") return { kind: "saved" };
      if (next === undefined) {
        const kind = status === 401 || status === 403 ? "unauthorized" : "refused";
        return { kind, reason: `${status} ${reason}`.trim() };
      }
      step = next;
    }
    return { kind: "unavailable", reason: "the pass neither exists nor can be created" };
  }

  return {
    issuerId: account.issuerId,
    async save(pass, timeoutMs) {
      const { id } = pass.object;
      const pause = pauses.find(id);
      if (pause) return pause;
      const result = await save(pass, AbortSignal.timeout(timeoutMs));
      if (result.kind === "saved") {
        pauses.noteSuccess(id);
        return result;
      }
      pauses.noteFailure(id, result);
      log.warn({ kind: result.kind, reason: result.reason }, "Google Wallet didn't take a pass");
      return result;
    },
    saveLink: (objectId, origin) => signSaveLink(account, { objectId, origin, now: clock() }),
  };
}

type Sending = { body: GoogleResource; signal: AbortSignal };

const maxSteps = 5;

/** https://developers.google.com/wallet/generic/resources/error-codes: 404 not found, 409 already exists. */
function nextStep(step: "change" | "create" | "createClass", status: number) {
  if (step === "createClass") return status === 200 || status === 409 ? "create" : undefined;
  if (status === 200) return "saved";
  if (status === 404) return step === "change" ? "create" : "createClass";
  return status === 409 && step === "create" ? "change" : undefined;
}

/** In a change, null removes a field. A new object has none to remove. */
function withoutNulls(object: GoogleResource): GoogleResource {
  const { id, ...fields } = object;
  return { id, ...Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)) };
}

/**
 * A JWT with nothing but the object's id, because a link must not be longer than 1,800 characters.
 * https://developers.google.com/wallet/generic/use-cases/jwt and …/wallet/reference/rest/v1/Jwt
 */
async function signSaveLink(
  { clientEmail, key, keyId }: GoogleWalletAccount,
  { objectId, origin, now }: { objectId: string; origin: string; now: number },
): Promise<string> {
  const payload = { genericObjects: [{ id: objectId }] };
  const jwt = await new SignJWT({ typ: "savetowallet", origins: [origin], payload })
    .setProtectedHeader({ alg: "RS256", typ: "JWT", ...(keyId !== undefined && { kid: keyId }) })
    .setIssuer(clientEmail)
    .setAudience("google")
    .setIssuedAt(Math.floor(now / 1000))
    .sign(key);
  return `https://pay.google.com/gp/v/save/${jwt}`;
}

/** After a failure no request is sent to Google for so long, so that neither pages nor jobs wait for it one by one. */
const pauseMs = 10_000;
const longestPauseMs = 5 * 60_000;
/** So many passes that fail one after the other aren't at fault themselves. */
const fewestOfOutage = 3;

/** Decides when Google isn't asked: after an error about one pass for that pass only, otherwise for all. */
function createGooglePauses(clock: () => number) {
  let allUntil = 0;
  /** Until when each pass that failed waits. */
  const failed = new Map<string, number>();
  /** The passes that failed since the last success. */
  const inRow = new Set<string>();

  return {
    /** Why this pass can't be sent now; undefined when it can. */
    find(id: string): GoogleFailure | undefined {
      const now = clock();
      const until = Math.max(allUntil, failed.get(id) ?? 0);
      if (until <= now) return undefined;
      const isOfPass = allUntil <= now;
      return { kind: "unavailable", reason: "paused after a failure", retryAfterMs: until - now, isOfPass };
    },
    noteSuccess(id: string) {
      inRow.clear();
      for (const [other, until] of failed) if (other === id || until <= clock()) failed.delete(other);
    },
    noteFailure(id: string, { kind, retryAfterMs = pauseMs, isOfPass = false }: GoogleFailure) {
      if (kind === "refused") return;
      const until = clock() + Math.min(retryAfterMs, longestPauseMs);
      failed.set(id, until);
      inRow.add(id);
      if (isOfPass && inRow.size < fewestOfOutage) return;
      allUntil = until;
      inRow.clear();
      failed.clear();
    },
  };
}
