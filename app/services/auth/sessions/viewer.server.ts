import { hashToken } from "#app/services/auth/tokens.server.ts";
import type { Config } from "#app/services/config/config.server.ts";

import type { SessionRow } from "./session-rows.server.ts";

/** The user who is signed in. */
export type Viewer = {
  id: string;
  email: string;
  name: string;
  isConfirmed: boolean;
  /** The id of the session, which keeps it when it gets another token. */
  sessionId: string;
  /** Of the token that the request has: after a proof of identity, the session has another one. */
  tokenHash: string;
  /** When the user last proved who they are in this session, in epoch milliseconds. */
  verifiedAt: number;
};

/** `token`: that of the request. */
export function toViewer({ userId, id, email, name, isConfirmed, verifiedAt }: SessionRow, token: string): Viewer {
  return { id: userId, email, name, isConfirmed, sessionId: id, tokenHash: hashToken(token), verifiedAt };
}

/** Whether the operator's pages exist for this user. They also ask for a second factor and a recent proof of identity. */
export function isOperator({ adminEmails }: Pick<Config, "adminEmails">, user: Viewer | undefined): boolean {
  return user !== undefined && user.isConfirmed && adminEmails.includes(user.email);
}
