/** What `GET /events` tells the owner of an account about. `reload`: events may be missing, so anything may have changed. */
export const liveKinds = [
  "card.saved",
  "card.deleted",
  "profile.saved",
  "plan.changed",
  "lead.created",
  "pass.updated",
  "visit",
  "reload",
] as const;

export type LiveKind = (typeof liveKinds)[number];

/** Ids only, such as `cardId`: whoever gets the event asks for the rest. */
export type LiveData = Readonly<Record<string, string>>;

export function isLiveKind(kind: string): kind is LiveKind {
  return liveKinds.some((known) => known === kind);
}
