import { retryDelayMs } from "#app/features/kiosk/rules.ts";
import type { BatchResponse } from "#app/features/kiosk/schema.ts";

import { applyResults, listWaiting } from "./queue-client.ts";
import type { QueueEntry } from "./queue-client.ts";

type SenderOptions = {
  /** The path of the kiosk link. */
  path: string;
  keyId: string;
  /** After the queue may have changed. */
  onChange: () => void;
  /** When the server doesn't know the link anymore. */
  onClosed: () => void;
};

export type Sender = { send: () => void };

/** The page of a removed link tries again so often: a blocked owner may be unblocked. */
const closedDelayMs = 600_000;
const timeoutMs = 30_000;

/**
 * Sends what waits on the device, oldest first, until nothing is left; after a failure again and again, with growing delays. Only one tab
 * of the browser sends at a time. An entry leaves the device when the server has said what became of it.
 */
export function createSender({ path, keyId, onChange, onClosed }: SenderOptions): Sender {
  let failures = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isSending = false;
  let isAskedAgain = false;

  async function sendAll() {
    for (;;) {
      const entries = await listWaiting(keyId);
      if (entries.length === 0) return;
      const response = await postEntries(path, entries);
      if (response === "closed") {
        onClosed();
        return wait(closedDelayMs);
      }
      if (response === "failed") return wait(retryDelayMs(++failures));
      failures = 0;
      await applyResults(entries, response.results);
      onChange();
      if (response.retryAfter !== undefined) return wait(response.retryAfter * 1_000);
      if (response.results.length === 0) return wait(retryDelayMs(++failures));
    }
  }

  function wait(delayMs: number) {
    clearTimeout(timer);
    timer = setTimeout(send, delayMs);
  }

  function send() {
    clearTimeout(timer);
    isAskedAgain = isSending;
    if (isSending) return;
    isSending = true;
    const done = navigator.locks.request("meishi-kiosk", sendAll);
    // The storage can't be read: it may be back later.
    void done
      .catch(() => wait(retryDelayMs(++failures)))
      .finally(() => {
        isSending = false;
        if (isAskedAgain) send();
      });
  }

  return {
    send() {
      failures = 0;
      send();
    },
  };
}

/** Sends entries; "failed" for everything that isn't our server's answer, such as the page of a hotel's network. */
export async function postEntries(
  path: string,
  entries: readonly QueueEntry[],
): Promise<BatchResponse | "closed" | "failed"> {
  const sent = entries.map(({ id, content }) => ({ id, content }));
  try {
    const response = await fetch(`${path}/leads`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ sentAt: Date.now(), entries: sent }),
      credentials: "omit",
      cache: "no-store",
      redirect: "error",
      signal: AbortSignal.timeout(timeoutMs),
    });
    const body: unknown = await response.json();
    if (response.status === 404 && typeof body === "object" && body !== null && "error" in body) return "closed";
    return response.ok && isBatchResponse(body) ? body : "failed";
  } catch {
    return "failed";
  }
}

function isBatchResponse(body: unknown): body is BatchResponse {
  return typeof body === "object" && body !== null && "results" in body && Array.isArray(body.results);
}
