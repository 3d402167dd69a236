import { connect } from "node:http2";
import type { ClientHttp2Session } from "node:http2";

import type { PassSigner } from "#app/services/config/apple-passes.server.ts";

type ConnectionOptions = Pick<PassSigner, "certificate" | "key" | "pushUrl"> & { connectMs: number };

/** One HTTP/2 connection that is opened when it is needed, and used by all until it closes or is discarded. */
export function createPushConnection({ pushUrl, certificate, key, connectMs }: ConnectionOptions) {
  let current: Opening | undefined;

  /** The open connection, or why there is none. Requests that wait for the same connection share its outcome. */
  function open(): Promise<ClientHttp2Session | { problem: string }> {
    if (current && !current.isEnded) return current.opened;
    current = start();
    return current.opened;
  }

  function start(): Opening {
    const session = connect(pushUrl ?? "https://api.push.apple.com:443", {
      cert: certificate,
      key,
      // A double on this machine has a certificate that no authority issued.
      ...(pushUrl !== undefined && { rejectUnauthorized: false }),
    });
    const opening: Opening = { session, isEnded: false, opened: waitUntilOpen(session, connectMs) };
    const end = () => (opening.isEnded = true);
    // After GOAWAY (RFC 9113 §6.8) open requests end on this connection, and new ones need another.
    session.on("goaway", end);
    session.on("close", end);
    session.on("error", end);
    session.setTimeout(idleMs, () => {
      end();
      session.close();
    });
    return opening;
  }

  /** Lets its requests finish, and uses another one for the next. */
  function discard(session: ClientHttp2Session) {
    if (current?.session === session) current.isEnded = true;
    if (!session.closed && !session.destroyed) session.close();
  }

  function close() {
    if (!current) return;
    current.isEnded = true;
    current.session.destroy();
  }

  return { open, discard, close };
}

type Opening = { session: ClientHttp2Session; isEnded: boolean; opened: Promise<ClientHttp2Session | Problem> };
type Problem = { problem: string };

/** A connection that isn't used for so long is closed. */
const idleMs = 10 * 60_000;

function waitUntilOpen(session: ClientHttp2Session, timeoutMs: number): Promise<ClientHttp2Session | Problem> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      session.destroy();
      resolve({ problem: "Apple's server can't be reached." });
    }, timeoutMs);
    // With the settings, the server has accepted the client's certificate.
    session.once("remoteSettings", () => {
      clearTimeout(timer);
      resolve(session);
    });
    let problem = "The connection was closed.";
    session.once("error", (error: Error) => (problem = error.message));
    session.once("close", () => {
      clearTimeout(timer);
      resolve({ problem });
    });
  });
}
