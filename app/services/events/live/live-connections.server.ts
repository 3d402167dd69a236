import type { Logger } from "pino";

import type { DomainEvent } from "#app/services/events/event.ts";

import { eventFrame } from "./live-event.ts";

/** One reader of an account's events. */
export type Connection = {
  readonly ownerId: string;
  readonly sessionId: string;
  /** Of the session's token when the connection was opened. */
  readonly tokenHash: string;
  readonly network: string;
  /** Ends the connection of a reader that is too slow. */
  send: (frame: Uint8Array) => void;
  /** For a reader that doesn't send frames as they are. */
  change?: (event: DomainEvent) => void;
  /** With the last frame that is sent. */
  end: (last?: Uint8Array) => void;
};

/** The hashes of the tokens of those sessions that are running, by their ids. */
export type FindRunningSessions = (ids: readonly string[]) => Promise<Map<string, string>>;

export type ConnectionLimit = "account" | "network" | "process";

/** Why a connection was refused. "closed": the process is about to stop. */
export function refusalText(reason: ConnectionLimit | "closed"): string {
  return reason === "account" || reason === "network"
    ? "Too many connections are open."
    : "No more connections can be opened at the moment.";
}

type ConnectionsDeps = {
  log: Logger;
  heartbeatMs: number;
  heartbeat: () => Uint8Array;
  findRunningSessions: FindRunningSessions;
};

/**
 * The open connections of this process. Each gets a heartbeat every `heartbeatMs`, when it is also checked whether its session still
 * runs with the same token. They take turns in 25 groups, so that ten thousand don't get theirs at once.
 */
export function createConnections({ log, heartbeatMs, heartbeat, findRunningSessions }: ConnectionsDeps) {
  const byOwner = new Map<string, Set<Connection>>();
  const perNetwork = new Map<string, number>();
  const groups = Array.from({ length: groupCount }, () => new Set<Connection>());
  let size = 0;
  let added = 0;
  let beats = 0;
  let timer: NodeJS.Timeout | undefined;

  function findReachedLimit(ownerId: string, network: string): ConnectionLimit | undefined {
    if ((byOwner.get(ownerId)?.size ?? 0) >= maxPerOwner) return "account";
    if ((perNetwork.get(network) ?? 0) >= maxPerNetwork) return "network";
    return size >= maxPerProcess ? "process" : undefined;
  }

  /** Returns how to remove it, which says whether it was still there. */
  function add(connection: Connection): () => boolean {
    const { ownerId, network } = connection;
    const own = byOwner.get(ownerId) ?? new Set();
    const group = groups[added++ % groupCount];
    own.add(connection);
    group?.add(connection);
    byOwner.set(ownerId, own);
    perNetwork.set(network, (perNetwork.get(network) ?? 0) + 1);
    size++;
    timer ??= setInterval(beat, heartbeatMs / groupCount).unref();
    return () => {
      if (!own.delete(connection)) return false;
      group?.delete(connection);
      size--;
      if (own.size === 0) byOwner.delete(ownerId);
      const left = (perNetwork.get(network) ?? 1) - 1;
      if (left === 0) perNetwork.delete(network);
      else perNetwork.set(network, left);
      if (size === 0) stopBeating();
      return true;
    };
  }

  function stopBeating() {
    clearInterval(timer);
    timer = undefined;
  }

  function beat() {
    const group = [...(groups[beats++ % groupCount] ?? [])];
    const frame = heartbeat();
    for (const { send } of group) send(frame);
    void endSignedOut(group);
  }

  /**
   * Ends the connections whose session isn't running any more, and those with a token that their session doesn't have any more: a browser
   * connects again with the new cookie, a copy of the old one can't. While the database can't be asked, they stay open.
   */
  async function endSignedOut(connections: readonly Connection[]) {
    try {
      for (let at = 0; at < connections.length; at += maxPerQuery) {
        const some = connections.slice(at, at + maxPerQuery);
        const running = await findRunningSessions(some.map(({ sessionId }) => sessionId));
        for (const { sessionId, tokenHash, end } of some) {
          const current = running.get(sessionId);
          if (current !== tokenHash) end(current === undefined ? signedOutFrame : undefined);
        }
      }
    } catch (error) {
      log.warn({ err: error }, "the sessions of open connections can't be checked");
    }
  }

  const ofOwner = (ownerId: string) => [...(byOwner.get(ownerId) ?? [])];
  const all = () => [...byOwner.values()].flatMap((own) => [...own]);

  return {
    add,
    findReachedLimit,
    ofOwner,
    all,
    has: (ownerId: string) => byOwner.has(ownerId),
    /** Ends all of an owner whose sessions are over. */
    signOut: (ownerId: string) => ofOwner(ownerId).forEach(({ end }) => end(signedOutFrame)),
    recheck: (ownerId: string) => endSignedOut(ofOwner(ownerId)),
  };
}

const signedOutFrame = eventFrame({ kind: "signed-out", data: {} });
const groupCount = 25;
const maxPerQuery = 500;
/** A browser has one. */
const maxPerOwner = 20;
const maxPerNetwork = 1_000;
/** Each takes a file descriptor. */
const maxPerProcess = 12_000;
