/**
 * What `GET /events` tells the owner of an account about. `reload`: events may be missing, so anything may have changed. `signed-out`: the
 * session has ended, and with it the connection.
 */
export const liveKinds = [
  "card.saved",
  "card.deleted",
  "profile.saved",
  "plan.changed",
  "lead.created",
  "pass.updated",
  "account.changed",
  "visit",
  "reload",
  "signed-out",
] as const;

export type LiveKind = (typeof liveKinds)[number];

/** Ids only, such as `cardId`: a client requests the rest. */
export type LiveData = Readonly<Record<string, string>>;

/** An event as a page of the signed-in user gets it. */
export type LiveEvent = { kind: LiveKind; data: LiveData };

export function isLiveKind(kind: string): kind is LiveKind {
  return liveKinds.some((known) => known === kind);
}
