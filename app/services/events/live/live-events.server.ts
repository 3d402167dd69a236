import { randomUUID } from "node:crypto";

import type { Logger } from "pino";
import { z } from "zod";

import type { Bus } from "#app/services/bus/bus.server.ts";
import type { DomainEvent } from "#app/services/events/event.ts";
import type { Events } from "#app/services/events/events.server.ts";

import { createBacklog } from "./live-backlog.server.ts";
import { createConnections } from "./live-connections.server.ts";
import type { Connection, ConnectionLimit, FindRunningSessions } from "./live-connections.server.ts";
import { eventFrame, heartbeatFrame, isLiveKind, liveKinds, openingFrame } from "./live-event.ts";
import type { LiveData, LiveKind } from "./live-event.ts";
import { createPresence } from "./live-presence.server.ts";
import { createVisitReports } from "./live-visits.server.ts";

export type LiveEvents = {
  /** Opens a stream of an account's events. */
  connect: (reader: LiveReader) => ReadableStream<Uint8Array> | ConnectionLimit | "closed";
  /** Reports the changes of an account until the returned function is called, or until `end`, which is called once. */
  follow: (follower: LiveFollower) => (() => void) | ConnectionLimit | "closed";
  /** Sends an event that isn't stored, to this process's connections and the other processes: it may be lost. */
  publish: (ownerId: string, event: { kind: LiveKind; data: LiveData }) => void;
  /** A page of this owner was visited. `visitor`: a number that tells visitors apart. */
  noteVisit: (ownerId: string, visitor?: number) => void;
  /** How many visitors of an owner's pages there were in the last five minutes, in all processes; at most 200. */
  countPresent: (ownerId: string) => number;
  /** Ends the account's connections whose sessions have ended or got another token, in all processes. */
  recheck: (ownerId: string) => void;
  /** Ends all connections, and accepts no new ones. */
  close: () => void;
};

type Account = Pick<Connection, "ownerId" | "sessionId" | "tokenHash" | "network">;

type LiveFollower = Account & {
  change: (event: DomainEvent) => void;
  /** "interrupted": changes may have been missed, or the process is about to stop; the client should connect again. */
  end: (reason: "signed-out" | "interrupted") => void;
};

type LiveReader = Account & {
  /** The id of the last event that the client has seen, when it connects again; "-5000" for what happened in the last five seconds. */
  lastEventId: string | undefined;
  /** Cuts the connection off, with what is still to be sent. */
  destroy: (() => void) | undefined;
};

type LiveDeps = {
  events: Pick<Events, "subscribe">;
  bus: Pick<Bus, "isLive" | "isShared" | "sendHint" | "subscribeToHints">;
  clock: () => number;
  log: Logger;
  findRunningSessions: FindRunningSessions;
  heartbeatMs?: number;
};

/** Tells browsers what happens in their account (docs/decisions/0063-live-events.md). */
export function createLiveEvents({ events, bus, clock, heartbeatMs = 25_000, ...deps }: LiveDeps): LiveEvents {
  const backlog = createBacklog({ clock, overlapMs: bus.isShared ? overlapMs : 0 });
  const connections = createConnections({ ...deps, heartbeatMs, heartbeat: () => heartbeatFrame(position()) });
  const presence = createPresence(clock);
  const visits = createVisitReports({
    isHere: connections.has,
    report: (ownerId) => send(ownerId, eventFrame({ kind: "visit", data: {} })),
    announce: bus.isShared ? (list) => sendHint({ type: "visits", ...list }) : undefined,
    presence,
  });
  let isClosed = false;
  events.subscribe({ name: "live", kinds: "all", everywhere: deliverEvent, missed: reloadAll });
  bus.subscribeToHints(receiveHint);

  /** Undefined while events of other processes don't arrive: a client must not take this process's word for having seen everything. */
  function position() {
    return bus.isLive() ? backlog.position() : undefined;
  }

  function send(ownerId: string, frame: Uint8Array) {
    for (const connection of connections.ofOwner(ownerId)) connection.send(frame);
  }

  function deliver(ownerId: string, { id, kind, data }: { id: string; kind: LiveKind; data: LiveData }) {
    if (!bus.isLive()) return send(ownerId, eventFrame({ kind, data }));
    send(
      ownerId,
      backlog.add(ownerId, id, (position) => eventFrame({ id: position, kind, data })),
    );
  }

  function deliverEvent(event: DomainEvent) {
    // Its visits were live already.
    if (event.kind === "contact.saved") return;
    for (const { change } of connections.ofOwner(event.ownerId)) change?.(event);
    const { id, kind, ownerId, isNew: _, ...data } = { isNew: undefined, ...event };
    if (kind === "account.blocked" || kind === "account.deleted") {
      connections.signOut(ownerId);
    } else if (isLiveKind(kind)) deliver(ownerId, { id, kind, data });
  }

  function reloadAll() {
    backlog.clear();
    connections.all().forEach(({ change, send, end }) => (change ? end() : send(reloadFrame())));
  }

  function reloadFrame() {
    return eventFrame({ id: position(), kind: "reload", data: {} });
  }

  function publish(ownerId: string, { kind, data }: { kind: LiveKind; data: LiveData }) {
    const event = { id: randomUUID(), kind, data };
    deliver(ownerId, event);
    sendHint({ type: "event", ownerId, ...event });
  }

  function recheck(ownerId: string) {
    void connections.recheck(ownerId);
    sendHint({ type: "sessions", ownerId });
  }

  function sendHint(hint: Hint) {
    if (bus.isShared) bus.sendHint(JSON.stringify(hint));
  }

  function receiveHint(text: string) {
    const hint = readHint(text);
    if (hint?.type === "visits") visits.receive(hint);
    if (hint?.type === "sessions") void connections.recheck(hint.ownerId);
    if (hint?.type === "event") deliver(hint.ownerId, hint);
  }

  /** What a new connection gets first: what it has missed, or that it has to load its data again. */
  function openingOf({ ownerId, lastEventId }: LiveReader): Uint8Array {
    const missed = lastEventId === undefined || !bus.isLive() ? undefined : backlog.readAfter(ownerId, lastEventId);
    const replay = missed ?? (lastEventId === undefined ? [] : [reloadFrame()]);
    return Buffer.concat([openingFrame(retryMs), ...replay, heartbeatFrame(position())]);
  }

  function findRefusal({ ownerId, network }: Account) {
    return isClosed ? "closed" : connections.findReachedLimit(ownerId, network);
  }

  function connect(reader: LiveReader) {
    return findRefusal(reader) ?? openStream(reader, { opening: openingOf(reader), add: connections.add });
  }

  function follow(follower: LiveFollower) {
    return findRefusal(follower) ?? addFollower(follower, connections.add);
  }

  function close() {
    isClosed = true;
    visits.stop();
    for (const { end } of connections.all()) end();
  }

  return { connect, follow, publish, noteVisit: visits.add, countPresent: presence.count, recheck, close };
}

type AddConnection = ReturnType<typeof createConnections>["add"];

type StreamOptions = { opening: Uint8Array; add: AddConnection };

/** A stream whose frames wait for the reader, at most 100 of them: one that reads too slowly is cut off, and connects again. */
function openStream({ destroy, ...reader }: LiveReader, { opening, add }: StreamOptions) {
  let remove = () => false;
  const start = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    const end = (last?: Uint8Array) => {
      // The reader may have left already: the stream is closed then.
      if (!remove()) return;
      if (last) controller.enqueue(last);
      controller.close();
    };
    const cut = () => {
      if (!remove()) return;
      if (destroy) destroy();
      else controller.error(new Error("The reader is too slow."));
    };
    const send = (frame: Uint8Array) => ((controller.desiredSize ?? 0) > 0 ? controller.enqueue(frame) : cut());
    controller.enqueue(opening);
    remove = add({ ...reader, send, end });
  };
  return new ReadableStream<Uint8Array>({ start, cancel: () => void remove() }, { highWaterMark: maxWaitingFrames });
}

function addFollower({ change, end, ...account }: LiveFollower, add: AddConnection): () => void {
  const endOnce = (last?: Uint8Array) => {
    if (remove()) end(last ? "signed-out" : "interrupted");
  };
  const remove = add({ ...account, change, send: () => undefined, end: endOnce });
  return () => void remove();
}

const hintSchema = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("visits"),
    ownerIds: z.array(z.string()),
    visitors: z.array(z.array(z.number())),
  }),
  z.object({ type: z.literal("sessions"), ownerId: z.string() }),
  z.object({
    type: z.literal("event"),
    ownerId: z.string(),
    id: z.string(),
    kind: z.enum(liveKinds),
    data: z.record(z.string(), z.string()),
  }),
]);

type Hint = z.infer<typeof hintSchema>;

/** Undefined for a hint of another release. */
function readHint(text: string): Hint | undefined {
  try {
    return hintSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** The first of the client's pauses. */
const retryMs = 1_000;
const maxWaitingFrames = 100;
/** Longer than it takes to notice that events of other processes don't arrive, and more than clocks should differ. */
const overlapMs = 30_000;
