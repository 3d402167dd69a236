/** A change that others care about. `ownerId` is whose pages it may change. */
export type DomainEvent = { id: string; ownerId: string } & (
  | { kind: "card.saved"; cardId: string }
  | { kind: "card.deleted"; cardId: string }
  | { kind: "profile.saved" }
  | { kind: "file.saved"; slot: string }
  | { kind: "file.removed"; slot: string }
  | { kind: "plan.changed" }
  | { kind: "account.deleted" }
);

export type EventKind = DomainEvent["kind"];
