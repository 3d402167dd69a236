import { setTimeout as pause } from "node:timers/promises";

import type { Logger } from "pino";

import { createBetterAuth } from "./better-auth.server.ts";
import type { Db, Engine } from "./database.server.ts";
import { createOwnConfirmations } from "./own-confirmations.server.ts";
import type { OwnConfirmations } from "./own-confirmations.server.ts";
import { createResets } from "./resets.server.ts";
import type { Resets } from "./resets.server.ts";
import { createSessions } from "./sessions.server.ts";
import type { Sessions } from "./sessions.server.ts";
import { createSignUps } from "./sign-ups.server.ts";
import type { SignUps } from "./sign-ups.server.ts";

export { createAuthTables } from "./better-auth.server.ts";
export { hasSession } from "./sessions.server.ts";

/**
 * Accounts by e-mail and password. E-mail addresses come in lower case and without spaces around them; cookies go out as
 * values for Set-Cookie. It knows no limits: whoever lets a visitor call it counts first.
 */
export type Auth = Sessions &
  SignUps &
  Resets &
  Pick<OwnConfirmations, "sendOwnConfirmation"> & {
    /** Removes sessions and links that are over. */
    sweep(): Promise<void>;
  };

/** A mail that an account's owner is to get; the words are not ours. */
export type AccountMail =
  | { kind: "confirm"; to: string; token: string; validHours: number }
  | { kind: "confirm-own"; to: string; token: string; validHours: number }
  | { kind: "known-address"; to: string }
  | { kind: "reset"; to: string; token: string; validHours: number };

type Parts = {
  db: Db;
  engine: Engine;
  config: { baseUrl: string };
  secret: string;
  log: Logger;
  /** Has the mail in safe keeping when it resolves: the page that says "sent" waits for it. */
  enqueueMail(mail: AccountMail): Promise<void>;
  /**
   * Milliseconds that an answer about an address takes at least: there is more to write for an address with an account, or
   * for one without, and a clock must not tell which it was.
   */
  answerAfter?: number;
};

export function createAuth({ db, engine, config, secret, log, enqueueMail, answerAfter = 400 }: Parts): Auth {
  const auth = createBetterAuth({ db, engine, baseUrl: config.baseUrl, secret, log });
  const signUps = createSignUps({ auth, secret, enqueueMail });
  const resets = createResets({ auth, enqueueMail });
  const { sendOwnConfirmation, confirmOwn } = createOwnConfirmations({ auth, secret, enqueueMail });
  const inEqualTime =
    <Asked, Answer>(work: (asked: Asked) => Promise<Answer>) =>
    async (asked: Asked): Promise<Answer> => {
      const [answer] = await Promise.all([work(asked), pause(answerAfter)]);
      return answer;
    };

  async function sweep() {
    const { adapter } = await auth.$context;
    const where = [{ field: "expiresAt", operator: "lt" as const, value: new Date() }];
    for (const model of ["session", "verification"]) await adapter.deleteMany({ model, where });
  }

  return {
    ...createSessions({ auth }),
    ...signUps,
    sendOwnConfirmation,
    confirm: async (link) => (await confirmOwn(link)) ?? signUps.confirm(link),
    signUp: inEqualTime(signUps.signUp),
    resendConfirmation: inEqualTime(signUps.resendConfirmation),
    ...resets,
    requestReset: inEqualTime(resets.requestReset),
    sweep,
  };
}
