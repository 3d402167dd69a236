import { z } from "zod";

const common = { id: z.string(), ownerId: z.string() };

/** A change that others care about. `ownerId` is whose pages it may change. It holds ids only, so that it outlives a deleted account. */
export const domainEvent = z.discriminatedUnion("kind", [
  z.object({ ...common, kind: z.literal("card.saved"), cardId: z.string(), isNew: z.boolean().optional() }),
  z.object({ ...common, kind: z.literal("card.deleted"), cardId: z.string() }),
  z.object({ ...common, kind: z.literal("profile.saved") }),
  z.object({ ...common, kind: z.literal("file.saved"), slot: z.string() }),
  z.object({ ...common, kind: z.literal("file.removed"), slot: z.string() }),
  z.object({ ...common, kind: z.literal("plan.changed") }),
  z.object({ ...common, kind: z.literal("account.blocked") }),
  z.object({ ...common, kind: z.literal("account.unblocked") }),
  z.object({ ...common, kind: z.literal("account.deleted") }),
  // Visitors saved the card's contact: recorded with the counts, for owners whose webhooks ask for it.
  z.object({ ...common, kind: z.literal("contact.saved"), cardId: z.string(), source: z.string(), count: z.number() }),
  z.object({ ...common, kind: z.literal("lead.created"), leadId: z.string(), cardId: z.string() }),
  // Above a limit and nothing else: the owner has to look at it.
  z.object({ ...common, kind: z.literal("lead.suspected"), leadId: z.string() }),
  z.object({ ...common, kind: z.literal("lead.withdrawn"), leadId: z.string() }),
  z.object({ ...common, kind: z.literal("lead.erased"), leadId: z.string() }),
  // Everyone who got the lead has to be notified. Recorded beside the two above, which also happen without a request of the visitor.
  z.object({
    ...common,
    kind: z.literal("consent.withdrawn"),
    leadId: z.string(),
    request: z.enum(["withdrawn", "erased", "newsletter"]),
  }),
]);

export type DomainEvent = z.infer<typeof domainEvent>;

export type EventKind = DomainEvent["kind"];

/** An event before it is recorded, which gives it its id. */
export type NewEvent = WithoutId<DomainEvent>;

type WithoutId<Event> = Event extends DomainEvent ? Omit<Event, "id"> : never;

export const eventKinds: readonly EventKind[] = domainEvent.options.map((option) => option.shape.kind.value);

/** The kinds of changes that public pages may show. The others leave pages, images and passes as they are. */
export const pageEventKinds: readonly EventKind[] = eventKinds.filter(
  (kind) => !kind.startsWith("lead.") && kind !== "contact.saved" && kind !== "consent.withdrawn",
);
