import type { RateLimit } from "#app/services/http/rate-limits.server.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** An account has three valid codes out of a million at a time: ten tries an hour find one of them in a year with one chance in four. */
export const factorLimits = {
  codesOfAccount: { name: "codes of an account", max: 10, windowMs: hourMs },
  /** From one browser or network, and apart from the codes of an app. */
  backupCodesOfAccount: { name: "backup codes of an account", max: 10, windowMs: hourMs },
  codesFromNetwork: { name: "codes from a network", max: 30, windowMs: 15 * minuteMs },
  /** Of a signed-in user who proves again who they are. */
  proofCodesOfAccount: { name: "codes of identity proofs", max: 10, windowMs: hourMs },
  /** Of an app that is being set up. */
  setupCodesOfAccount: { name: "setup codes of an account", max: 20, windowMs: 15 * minuteMs },
  /** The owner gets one mail per window about codes that were refused. */
  codeLimitMails: { name: "mails about refused codes", max: 1, windowMs: hourMs, isExpected: true },
  factorChangesOfAccount: { name: "factor changes of an account", max: 30, windowMs: hourMs },
  passkeyRequestsFromNetwork: { name: "passkey requests from a network", max: 200, windowMs: 15 * minuteMs },
  passkeysFromNetwork: { name: "refused passkeys from a network", max: 30, windowMs: 15 * minuteMs },
} as const satisfies Record<string, RateLimit>;

export const maxPasskeyName = 60;
