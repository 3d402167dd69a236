import { z } from "zod";

import { findOwnRow } from "#app/features/client-api/tables/own-row.server.ts";
import { clientKey } from "#app/services/client-api/client-route.server.ts";
import type { DomainEvent } from "#app/services/events/event.ts";
import { refusalText } from "#app/services/events/live/live-connections.server.ts";
import type { Socket, SocketReader, SocketRequest } from "#app/services/features/feature.ts";
import type { Services } from "#app/services/http/context.ts";
import { networkOf } from "#app/services/http/rate-limits.server.ts";

import { includesChange, readJoin, toChange, writeChange } from "./change-rules.ts";
import type { Change, Subscription } from "./change-rules.ts";
import { messages } from "./messages.ts";
import { readFrame, writeFrame } from "./phoenix-frames.ts";
import type { Frame } from "./phoenix-frames.ts";

/** The channels of a connection by their topics. */
type Channels = Map<string, { joinRef: string | null; subscriptions: (Subscription & { id: number })[] }>;

/**
 * One connection of an app: channels of the Phoenix protocol, which get the changes of the account whose access token the app sent last.
 * It ends with the session, and with the token unless a newer one was sent.
 */
export function openConnection(services: Services, socket: Socket, { url, address }: SocketRequest): SocketReader {
  const version = url.searchParams.get("vsn")?.startsWith("2.") ? 2 : 1;
  const channels: Channels = new Map();
  const account = createAccount(services, { network: networkOf(address), change, end });
  const queue = createQueue({
    isOver: () => isClosed,
    overflow: () => end(1008, messages.tooFast),
    fail: (error) => {
      services.log.error({ err: error }, "a realtime connection failed");
      end(1011, messages.failed);
    },
  });
  let lastId = 0;
  let isClosed = false;
  const idle = setTimeout(() => end(1008, messages.idle), idleMs).unref();

  function closed() {
    isClosed = true;
    clearTimeout(idle);
    account.close();
  }

  function end(code: number, reason: string) {
    if (isClosed) return;
    closed();
    socket.close(code, reason);
  }

  function receive(message: string | Uint8Array) {
    if (isClosed) return;
    const frame = readFrame(message);
    if (!frame) return end(1008, messages.malformed);
    // A heartbeat doesn't keep a connection open that never sent a valid token.
    if (account.ownerId()) idle.refresh();
    queue(() => respond(frame));
  }

  function change(event: DomainEvent) {
    const change = toChange(event);
    if (change && listWanted(channels, change).length > 0) queue(() => deliver(change));
  }

  async function deliver(change: Change) {
    const row = change.type === "DELETE" ? undefined : await findOwnRow(services, change);
    // It may have been deleted since, which another event reports, or someone else may have signed in.
    if ((!row && change.type !== "DELETE") || account.ownerId() !== change.ownerId) return;
    for (const { id, select, ...channel } of listWanted(channels, change)) {
      const data = writeChange(change, { row, select, now: services.clock() });
      send({ ...channel, event: "postgres_changes", payload: { ids: [id], data } });
    }
  }

  function send(frame: Omit<Frame, "ref"> & { ref?: string | null }) {
    if (!isClosed) socket.send(writeFrame({ ref: null, ...frame }, version));
  }

  function reply({ joinRef, ref, topic }: Frame, response: object = {}, status: "ok" | "error" = "ok") {
    send({ joinRef, ref, topic, event: "phx_reply", payload: { status, response } });
  }

  const refuse = (frame: Frame, reason: string) => reply(frame, { reason }, "error");

  async function respond(frame: Frame) {
    const { topic, event } = frame;
    if (topic === "phoenix" && event === "heartbeat") return reply(frame);
    if (event === "phx_join") return join(frame);
    if (event === "phx_leave") {
      channels.delete(topic);
      return reply(frame);
    }
    if (!channels.has(topic)) return refuse(frame, messages.notJoined);
    if (event !== "access_token") return refuse(frame, messages.onlyChanges);
    const problem = await account.identify(tokenSchema.safeParse(frame.payload).data?.access_token);
    if (problem === undefined) reply(frame);
    else end(1008, problem);
  }

  async function join(frame: Frame) {
    const { joinRef, topic, payload } = frame;
    const request = readAllowedJoin(channels, { topic, payload });
    if (typeof request === "string") return refuse(frame, request);
    const problem = await account.identify(request.token);
    if (problem !== undefined) return refuse(frame, problem);
    const subscriptions = request.subscriptions.map((subscription) => ({ ...subscription, id: ++lastId }));
    channels.set(topic, { joinRef, subscriptions });
    reply(frame, { postgres_changes: subscriptions });
    const system = { extension: "postgres_changes", status: "ok", message: "Subscribed to PostgreSQL" };
    send({ joinRef, topic, event: "system", payload: { ...system, channel: topic.replace(/^realtime:/, "") } });
  }

  return { receive, closed };
}

/** Reads the payload of `phx_join`, or says why it is refused. */
function readAllowedJoin(channels: Channels, { topic, payload }: Pick<Frame, "topic" | "payload">) {
  const request = readJoin(payload);
  if (typeof request === "string") return request;
  return findReachedLimit(channels, topic, request.subscriptions.length) ?? request;
}

/** Why a channel with this many subscriptions can't be joined, or joined again. */
function findReachedLimit(channels: Channels, topic: string, count: number): string | undefined {
  const others = [...channels].filter(([name]) => name !== topic);
  if (others.length >= maxChannels) return messages.tooManyChannels;
  const sum = others.reduce((before, [, { subscriptions }]) => before + subscriptions.length, count);
  return sum > maxSubscriptions ? messages.tooManySubscriptions : undefined;
}

/** The subscriptions that include a change, each with its channel. */
function listWanted(channels: Channels, change: Change) {
  return [...channels].flatMap(([topic, { joinRef, subscriptions }]) =>
    subscriptions
      .filter((one) => includesChange(one, change))
      .map(({ id, select }) => ({ id, select, joinRef, topic })),
  );
}

type AccountOptions = {
  network: string;
  change: (event: DomainEvent) => void;
  end: (code: number, reason: string) => void;
};

/** The account of a connection: that of the token that was sent last. */
function createAccount(services: Services, { network, change, end }: AccountOptions) {
  const { auth, live } = services;
  let current: { ownerId: string; sessionId: string; token: string; stop: () => void } | undefined;
  let expiry: NodeJS.Timeout | undefined;
  let isClosed = false;

  /** Follows the account of a token from now on. Returns why it can't. */
  async function identify(token: string | null | undefined): Promise<string | undefined> {
    if (!token || token === clientKey(services)) return messages.noToken;
    if (token === current?.token) return undefined;
    const session = await auth.findAppSession(token);
    if (typeof session === "string") return messages.token[session];
    if (!session.isFull) return messages.secondFactor;
    if (isClosed) return messages.interrupted;
    const { id: ownerId, sessionId, tokenHash } = session.viewer;
    if (current?.sessionId !== sessionId) {
      const stop = live.follow({ ownerId, sessionId, tokenHash, network, change, end: endWith });
      if (typeof stop === "string") return refusalText(stop);
      current?.stop();
      current = { ownerId, sessionId, token, stop };
    }
    current.token = token;
    clearTimeout(expiry);
    expiry = setTimeout(() => end(1008, messages.token.expired), session.expiresAt * 1000 - Date.now()).unref();
    return undefined;
  }

  function endWith(reason: "signed-out" | "interrupted") {
    if (reason === "signed-out") end(1008, messages.token.ended);
    else end(1012, messages.interrupted);
  }

  function close() {
    isClosed = true;
    clearTimeout(expiry);
    current?.stop();
  }

  return { identify, ownerId: () => current?.ownerId, close };
}

type QueueOptions = { isOver: () => boolean; overflow: () => void; fail: (error: unknown) => void };

/** Runs work one after the other, so that replies and changes arrive in order, until the connection is over. */
function createQueue({ isOver, overflow, fail }: QueueOptions) {
  let waiting = 0;
  let last = Promise.resolve();
  return (work: () => Promise<void> | void) => {
    if (++waiting > maxWaiting) return overflow();
    last = last
      .then(() => (isOver() ? undefined : work()))
      .catch(fail)
      .finally(() => waiting--);
  };
}

const tokenSchema = z.object({ access_token: z.string().nullish() });

/** The client sends a heartbeat every 25 seconds. */
const idleMs = 60_000;
const maxChannels = 100;
/** They stay in memory as long as the connection. */
const maxSubscriptions = 300;
/** A client joins all its channels at once. */
const maxWaiting = 250;
