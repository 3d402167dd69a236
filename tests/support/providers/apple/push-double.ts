import { createSecureServer } from "node:http2";
import type { ServerHttp2Session, ServerHttp2Stream, IncomingHttpHeaders } from "node:http2";
import type { AddressInfo } from "node:net";
import type { TLSSocket } from "node:tls";

import { cleanUpAfterTest } from "#tests/support/cleanup.ts";

import { demoPassCertificates } from "./pass-settings.ts";

/** A push as the service received it. `topic` is in the header, `passTypeId` in the client's certificate. */
export type ReceivedPush = {
  token: string;
  topic: string;
  passTypeId: string;
  headers: IncomingHttpHeaders;
  body: string;
};

/** How it answers: undefined is 200. `headers` such as Retry-After. */
type Refusal = { status: number; reason: string; timestamp?: number; headers?: Record<string, string> };

type PushState = {
  received: ReceivedPush[];
  /** Keeps `received` empty, for many of them. */
  isCountOnly: boolean;
  count: number;
  connections: number;
  /** 0: never. */
  goAwayAfter: number;
  /** Reads requests and doesn't respond. */
  isSilent: boolean;
  refuse: (token: string) => Refusal | undefined;
  /** Waits before each response. */
  before: (token: string) => Promise<void>;
};

export type PushDouble = Awaited<ReturnType<typeof openPushDouble>>;

/**
 * Apple's push service as documented: HTTP/2 over TLS that demands a certificate which our demo authority issued. It refuses what the
 * real one would refuse (path, topic, push type and priority). `state.refuse` decides about each token; `goAwayAfter` closes a
 * connection after so many pushes, without reading the next ones. Without `closesAfterTest` it ends with the worker.
 */
export async function openPushDouble({ closesAfterTest = true, port = 0 } = {}) {
  const { certificate, key, wwdr, root } = demoPassCertificates;
  const state: PushState = {
    received: [],
    isCountOnly: false,
    count: 0,
    connections: 0,
    goAwayAfter: 0,
    isSilent: false,
    refuse: () => undefined,
    before: async () => undefined,
  };
  const sessions = new Set<ServerHttp2Session>();
  const server = createSecureServer({
    cert: certificate,
    key,
    ca: [wwdr, root],
    requestCert: true,
    rejectUnauthorized: true,
    settings: { maxConcurrentStreams: 1000 },
  });
  server.on("session", (session: ServerHttp2Session) => {
    state.connections++;
    sessions.add(session);
    session.on("close", () => sessions.delete(session));
    session.on("error", () => session.destroy());
    let left = state.goAwayAfter || Infinity;
    session.on("stream", (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
      stream.on("error", () => stream.destroy());
      left--;
      if (left < 0) return;
      // RFC 9113 §6.8: names the last request that it read.
      if (left === 0) session.goaway(0, stream.id);
      void respond(stream, headers);
    });
  });

  async function respond(stream: ServerHttp2Stream, headers: IncomingHttpHeaders) {
    let body = "";
    for await (const part of stream.setEncoding("utf8")) body += part;
    if (state.isSilent) return;
    const push = readPush(stream, headers, body);
    await state.before(push.token);
    if (stream.destroyed) return;
    const refusal = protocolError(push) ?? state.refuse(push.token);
    if (refusal) {
      const { status, reason, timestamp, headers: extra } = refusal;
      stream.respond({ ":status": status, ...extra });
      stream.end(JSON.stringify({ reason, ...(timestamp !== undefined && { timestamp }) }));
      return;
    }
    state.count++;
    if (!state.isCountOnly) state.received.push(push);
    stream.respond({ ":status": 200, "apns-id": crypto.randomUUID() }, { endStream: true });
  }

  const listen = (at: number) => new Promise<void>((resolve) => server.listen(at, "127.0.0.1", resolve));
  await listen(port);
  const { port: ownPort } = server.address() as AddressInfo;
  async function goDown() {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const session of sessions) session.destroy();
    await closed;
  }
  const close = async () => {
    if (server.listening) await goDown();
  };
  if (closesAfterTest) cleanUpAfterTest(close);
  return {
    state,
    url: `https://127.0.0.1:${ownPort}`,
    /** The tokens that got a push, in order. */
    tokens: () => state.received.map(({ token }) => token),
    goDown,
    goUp: () => listen(ownPort),
    close,
  };
}

function readPush(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, body: string): ReceivedPush {
  const socket = stream.session?.socket as TLSSocket | undefined;
  const subject = socket?.getPeerCertificate().subject as unknown as Record<string, string> | undefined;
  return {
    token: (headers[":path"] ?? "").replace("/3/device/", ""),
    topic: String(headers["apns-topic"]),
    passTypeId: subject?.["UID"] ?? "",
    headers,
    body,
  };
}

function protocolError({ token, topic, passTypeId, headers, body }: ReceivedPush): Refusal | undefined {
  if (headers[":method"] !== "POST") return { status: 405, reason: "MethodNotAllowed" };
  if (!/^[\da-f]{16,400}$/i.test(token)) return { status: 400, reason: "BadDeviceToken" };
  if (topic !== passTypeId) return { status: 400, reason: "TopicDisallowed" };
  if (headers["apns-push-type"] !== "background") return { status: 400, reason: "InvalidPushType" };
  if (headers["apns-priority"] !== "5") return { status: 400, reason: "BadPriority" };
  if (body !== "{}") return { status: 400, reason: "PayloadEmpty" };
  return undefined;
}
