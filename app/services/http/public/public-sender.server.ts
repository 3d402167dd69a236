import { Resolver } from "node:dns/promises";
import { request as requestHttp } from "node:http";
import type { IncomingMessage } from "node:http";
import { request as requestHttps } from "node:https";
import type { Socket } from "node:net";
import { performance } from "node:perf_hooks";

import { findPublicAddresses, isPublicUrl, pinLookup } from "./public-address.server.ts";
import type { ResolveHost } from "./public-address.server.ts";

/**
 * Sends a request, a POST unless it says otherwise, to an address that a user chose, such as a webhook's. The address must be https at port 443, without user and
 * password, and every address that its host has at this moment must be on the internet (SSRF); the connection goes to one of them.
 * Redirects aren't followed (Standard Webhooks): the answer is theirs. Never throws for a fault of the other side.
 */
export type SendPublicly = (url: string, message: PublicMessage) => Promise<SendResult>;

export type PublicMessage = {
  method?: string;
  headers: Readonly<Record<string, string>>;
  body: string;
};

export type SendResult = PublicAnswer | SendFailure;

export type PublicAnswer = {
  status: number;
  /** In seconds or as a date, as the header `retry-after` has it. */
  retryAfter: string | undefined;
  /** The first 64 kB. The rest wasn't read. */
  text: string;
  isCut: boolean;
  durationMs: number;
};

export type SendFailure = { problem: SendProblem; durationMs: number };

export type SendProblem =
  /** Not https at port 443, or the host has an address that isn't on the internet. Nothing was sent. */
  | "refused-address"
  /** The host has no address, or its name server doesn't answer. */
  | "dns"
  /** The certificate isn't valid for this host, or the handshake failed. */
  | "tls"
  /** No complete answer (or 64 kB of it) within the time limit. */
  | "timeout"
  /** Refused, reset or closed before the answer was complete. */
  | "connection"
  /** What came back isn't HTTP, or is too much before the answer or in its headers. */
  | "invalid-answer";

type SenderOptions = {
  /** Origins that may have any address, and need no HTTPS: servers on this machine that a test runs. */
  allowedOrigins?: readonly string[] | undefined;
  /** From the resolving of the host to the last byte. */
  timeLimitMs?: number;
  resolve?: ResolveHost;
};

/** Whether an address can be sent to, as far as that is known before its host is resolved. */
export function isSendable(address: string, allowedOrigins: readonly string[] = []): boolean {
  const url = URL.parse(address);
  if (!url) return false;
  return allowedOrigins.includes(url.origin) || isPublicUrl(url);
}

const maxAnswerBytes = 65_536;
/** With headers, and in short chunks. */
const maxReceivedBytes = 8 * maxAnswerBytes;
const tooManyBytes = "TOO_MANY_BYTES";

export function createPublicSender({
  allowedOrigins = [],
  timeLimitMs = 15_000,
  resolve = resolveWithNameServers,
}: SenderOptions = {}): SendPublicly {
  return async (address, message) => {
    const startedAt = performance.now();
    const duration = () => ({ durationMs: Math.round(performance.now() - startedAt) });
    const limit = AbortSignal.timeout(timeLimitMs);
    try {
      const target = await untilAborted(limit, findTarget(address, { allowedOrigins, resolve }));
      if ("problem" in target) return { ...target, ...duration() };
      const response = await post(target, message, limit);
      const { text, isCut } = await readStart(response);
      const { statusCode: status = 0, headers } = response;
      return { status, retryAfter: headers["retry-after"], text, isCut, ...duration() };
    } catch (error) {
      return { problem: limit.aborted ? "timeout" : problemOf(error), ...duration() };
    }
  };
}

type Target = { url: URL; addresses: readonly string[] | undefined };

type TargetOptions = { allowedOrigins: readonly string[]; resolve: ResolveHost };

async function findTarget(
  address: string,
  { allowedOrigins, resolve }: TargetOptions,
): Promise<Target | { problem: SendProblem }> {
  const url = URL.parse(address);
  if (!url) return { problem: "refused-address" };
  if (allowedOrigins.includes(url.origin)) return { url, addresses: undefined };
  try {
    const addresses = await findPublicAddresses(url, resolve);
    return addresses ? { url, addresses } : { problem: "refused-address" };
  } catch {
    return { problem: "dns" };
  }
}

/** The signal ends the request and the reading of its answer. */
function post({ url, addresses }: Target, message: PublicMessage, signal: AbortSignal): Promise<IncomingMessage> {
  const send = url.protocol === "https:" ? requestHttps : requestHttp;
  const headers = { "accept-encoding": "identity", connection: "close", ...message.headers };
  return new Promise((resolve, reject) => {
    const lookup = addresses && { lookup: pinLookup(addresses) };
    const request = send(url, { method: message.method ?? "POST", agent: false, signal, headers, ...lookup }, resolve);
    request
      .once("socket", (socket) => limitReceived(socket, (error) => void request.destroy(error)))
      // Without an answer, as after "101 Switching Protocols", which we didn't ask for.
      .once("close", () => reject(new Error("closed")))
      .on("error", reject)
      .end(message.body);
  });
}

/**
 * Stops at more bytes than an answer needs that isn't read further than `maxAnswerBytes`. Informational answers (1xx), of which a server may
 * send any number before its answer, would otherwise occupy the process until the time limit.
 */
function limitReceived(socket: Socket, stop: (error: Error) => void): void {
  let bytes = 0;
  socket.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > maxReceivedBytes) stop(Object.assign(new Error("too many bytes"), { code: tooManyBytes }));
  });
}

async function readStart(response: IncomingMessage): Promise<{ text: string; isCut: boolean }> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response) {
    if (!Buffer.isBuffer(chunk)) break;
    bytes += chunk.length;
    chunks.push(chunk);
    // Leaving the loop closes the connection.
    if (bytes > maxAnswerBytes) break;
  }
  const text = Buffer.concat(chunks).subarray(0, maxAnswerBytes).toString().replaceAll("\u0000", "\ufffd");
  return { text, isCut: bytes > maxAnswerBytes };
}

function problemOf(error: unknown): SendProblem {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code.startsWith("HPE_") || code === tooManyBytes) return "invalid-answer";
  return tlsCode.test(code) ? "tls" : "connection";
}

/** OpenSSL's reasons (X509_verify_cert_error_string) and Node's own. */
const tlsCode =
  /^(ERR_TLS_|ERR_SSL_|CERT_|CRL_|EPROTO$|HOSTNAME_|INVALID_CA|INVALID_PURPOSE|UNABLE_TO_|.*SELF_SIGNED_CERT)/;

/**
 * Asks the name servers of the machine, and not the system: /etc/hosts names private hosts, and the system's function occupies one of four
 * threads until it has an answer.
 */
async function resolveWithNameServers(host: string): Promise<string[]> {
  const resolver = new Resolver({ timeout: 3_000, tries: 2 });
  const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  const addresses = found.flatMap((result) => (result.status === "fulfilled" ? result.value : []));
  if (addresses.length === 0) throw new Error("The host has no address.");
  return addresses;
}

function untilAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(new Error("aborted")), { once: true });
  });
  return Promise.race([work, aborted]);
}
