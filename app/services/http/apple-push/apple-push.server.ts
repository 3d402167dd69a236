import { constants } from "node:http2";
import type { ClientHttp2Session, IncomingHttpHeaders } from "node:http2";

import type { PassSigner } from "#app/services/config/apple-passes.server.ts";

import { createPushConnection } from "./push-connection.server.ts";

export type ApplePush = {
  /** Says to a device that one of its passes has changed; the device then asks what. Never throws. */
  send: (pushToken: string) => Promise<PushResult>;
  close: () => void;
};

export type PushResult =
  /** Apple delivers it, now or when the device is online again. */
  | { kind: "accepted" }
  /** The token is no longer valid, since this time (epoch milliseconds) if Apple says it. */
  | { kind: "gone"; since: number | undefined }
  /** Too many for this device. `retryAfterMs`: what Apple requests. */
  | { kind: "too-many"; retryAfterMs: number | undefined }
  /** Apple can't be reached, or can't accept anything now. */
  | { kind: "unavailable"; reason: string; retryAfterMs: number | undefined }
  /** Apple refuses this one, for a reason that says nothing about other devices. */
  | { kind: "skipped"; reason: string }
  /** Apple refuses all of ours until the operator changes something, such as the certificate. */
  | { kind: "refused"; reason: string };

type ApplePushOptions = {
  signer: Pick<PassSigner, "passTypeId" | "certificate" | "key" | "pushUrl">;
  clock: () => number;
  connectMs?: number;
  requestMs?: number;
};

/**
 * The Apple Push Notification service by HTTP/2, with the pass's certificate as the client's. One connection for all requests, which
 * is opened again when the server closes it. developer.apple.com: "Sending notification requests to APNs", "Handling notification
 * responses from APNs", and for the topic and the empty payload "Adding a Web Service to Update Passes".
 */
export function createApplePush({ signer, clock, ...limits }: ApplePushOptions): ApplePush {
  const { connectMs = 10_000, requestMs = 15_000 } = limits;
  const connection = createPushConnection({ ...signer, connectMs });

  async function send(pushToken: string): Promise<PushResult> {
    let reason = "";
    for (let tries = 0; tries < maxConnections; tries++) {
      const session = await connection.open();
      if (!("request" in session)) return unavailable(session.problem);
      const response = await request(session, headersFor(pushToken), requestMs);
      if ("status" in response) return readResponse(response);
      reason = response.problem;
      connection.discard(session);
      if (!response.isRetryable) break;
    }
    return unavailable(reason);
  }

  const headersFor = (pushToken: string) => ({
    ":method": "POST",
    ":path": `/3/device/${encodeURIComponent(pushToken)}`,
    "apns-topic": signer.passTypeId,
    // A payload without an alert. This type requires priority 5.
    "apns-push-type": "background",
    "apns-priority": "5",
    "apns-expiration": String(Math.floor((clock() + storedMs) / 1000)),
  });

  return { send, close: connection.close };
}

/** How often one push is sent over another connection, because the server closed the last one without reading it. */
const maxConnections = 3;
/** How long Apple keeps it for a phone that is off: the longest it does. */
const storedMs = 30 * 24 * 60 * 60_000;
const maxBodyLength = 4_000;

function unavailable(reason: string): PushResult {
  return { kind: "unavailable", reason, retryAfterMs: undefined };
}

type PushResponse = { status: number; body: string; retryAfterMs: number | undefined };
/** `isRetryable`: the connection ended, which says nothing about the next one. */
type PushFailure = { problem: string; isRetryable: boolean };

function request(
  session: ClientHttp2Session,
  headers: Record<string, string>,
  timeoutMs: number,
): Promise<PushResponse | PushFailure> {
  return new Promise((resolve) => {
    if (session.closed || session.destroyed) {
      resolve({ problem: "The connection was closed.", isRetryable: true });
      return;
    }
    const stream = session.request(headers);
    let response: PushResponse | undefined;
    let problem = "The connection was closed.";
    let isRetryable = true;
    stream.setTimeout(timeoutMs, () => {
      [problem, isRetryable] = ["Apple's server didn't respond in time.", false];
      stream.close(constants.NGHTTP2_CANCEL);
    });
    stream.setEncoding("utf8");
    stream.on("response", (received) => {
      response = { status: received[":status"] ?? 0, body: "", retryAfterMs: readRetryAfter(received) };
    });
    stream.on("data", (part: string) => {
      if (response && response.body.length < maxBodyLength) response.body += part;
    });
    stream.on("error", (error: Error) => (problem = error.message));
    stream.on("close", () => resolve(response ?? { problem, isRetryable }));
    stream.end("{}");
  });
}

/** RFC 9110 §10.2.3: seconds. APNs sends no dates. */
function readRetryAfter(headers: IncomingHttpHeaders): number | undefined {
  const { "retry-after": text } = headers;
  return text !== undefined && /^\d{1,6}$/.test(text) ? Number(text) * 1000 : undefined;
}

/** Reasons that belong to one token, which Apple says not to use again. */
const goneReasons = ["BadDeviceToken", "DeviceTokenNotForTopic", "Unregistered", "ExpiredToken", "MissingDeviceToken"];

/** Reasons that concern every push of this site. So does each 403, such as BadCertificate. */
const siteReasons = ["BadTopic", "MissingTopic", "TopicDisallowed", "BadCertificate", "BadCertificateEnvironment"];

function readResponse({ status, body, retryAfterMs }: PushResponse): PushResult {
  if (status === 200) return { kind: "accepted" };
  const { reason, timestamp } = readBody(body);
  if (status === 410 || goneReasons.includes(reason)) return { kind: "gone", since: timestamp };
  if (status === 429) return { kind: "too-many", retryAfterMs };
  if (status >= 500) return { kind: "unavailable", reason: `${status} ${reason}`.trim(), retryAfterMs };
  const isOfSite = status === 403 || siteReasons.includes(reason);
  return { kind: isOfSite ? "refused" : "skipped", reason: `${status} ${reason}`.trim() };
}

/** `{"reason": "Unregistered", "timestamp": 1790000000000}`; the time is in milliseconds. */
function readBody(body: string): { reason: string; timestamp: number | undefined } {
  const reason = /"reason"\s*:\s*"(\w{1,60})"/.exec(body)?.[1] ?? "";
  const timestamp = /"timestamp"\s*:\s*"?(\d{1,15})\b/.exec(body)?.[1];
  return { reason, timestamp: timestamp === undefined ? undefined : Number(timestamp) };
}
