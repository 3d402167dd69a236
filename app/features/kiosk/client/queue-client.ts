import { openDB } from "idb";
import type { DBSchema, IDBPDatabase } from "idb";
import { importJWK } from "jose/key/import";
import { CompactEncrypt } from "jose/jwe/compact/encrypt";

import type { CardKey } from "#app/features/kiosk/entry-content.server.ts";
import { batchLimits, isTooOld, refusedStorageMs, retryDelayMs } from "#app/features/kiosk/rules.ts";
import type { BatchResponse, EntryContent, EntryResult, RefusalReason } from "#app/features/kiosk/schema.ts";

/** A form that was filled in and hasn't arrived. Only the server can read its content. `loadedAt` is the server's time, `addedAt` the device's. */
type QueueEntry = { id: string; keyId: string; content: string; loadedAt: number; addedAt: number };

/** One that the server doesn't accept. */
type RefusedEntry = QueueEntry & { reason: RefusalReason; refusedAt: number };

type QueueSchema = DBSchema & {
  waiting: { key: string; value: QueueEntry; indexes: { byAge: [string, number] } };
  refused: { key: string; value: RefusedEntry };
};

/** How many entries wait for a card's server key, for those of other cards, and how many were refused. */
export type QueueCounts = { waiting: number; elsewhere: number; refused: RefusedEntry["reason"][] };

type SenderOptions = {
  /** The path of the kiosk link. */
  path: string;
  keyId: string;
  /** After the queue may have changed. */
  onChange: () => void;
  /** When the server doesn't know the link anymore. */
  onClosed: () => void;
};

/** The page of a removed link tries again so often: a blocked owner may be unblocked. */
const closedDelayMs = 600_000;
const timeoutMs = 30_000;

/**
 * Puts what a visitor typed on the disk, from where a sender sends it. Where nothing can be stored, sends it straight to the server. False
 * when neither is possible.
 */
export async function saveEntry(path: string, content: EntryContent, key: CardKey): Promise<boolean> {
  const entry = await encryptEntry(content, key);
  try {
    await addEntry(entry);
    return true;
  } catch {
    // The storage is full or refused.
    const response = await postEntries(path, [entry]);
    return typeof response !== "string" && response.results.some(({ result }) => result === "delivered");
  }
}

/**
 * The returned function sends what waits on the device, oldest first, until nothing is left; after a failure again and again, with growing
 * delays. Only one tab of the browser sends at a time. An entry leaves the device when the server has said what became of it.
 */
export function createSender({ path, keyId, onChange, onClosed }: SenderOptions): () => void {
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

  return () => {
    failures = 0;
    send();
  };
}

/** Encrypts what a visitor typed (RFC 7516, ECDH-ES with A256GCM), so that the device itself can't read what waits on it. */
async function encryptEntry(content: EntryContent, { id: keyId, key }: CardKey): Promise<QueueEntry> {
  const plaintext = new TextEncoder().encode(JSON.stringify(content));
  const encrypted = await new CompactEncrypt(plaintext)
    .setProtectedHeader({ alg: "ECDH-ES", enc: "A256GCM", kid: keyId })
    .encrypt(await importJWK(key, "ECDH-ES"));
  return { id: content.id, keyId, content: encrypted, loadedAt: content.loadedAt, addedAt: content.givenAt };
}

let opening: Promise<IDBPDatabase<QueueSchema>> | undefined;

/** Opened again after a failure: the storage may be back. */
function openQueue(): Promise<IDBPDatabase<QueueSchema>> {
  const forget = () => (opening = undefined);
  opening ??= openDB<QueueSchema>("meishi-kiosk", 1, {
    upgrade(db) {
      db.createObjectStore("waiting", { keyPath: "id" }).createIndex("byAge", ["keyId", "addedAt"]);
      db.createObjectStore("refused", { keyPath: "id" });
    },
    // A later release of this page waits for this tab otherwise.
    blocking: (_current, _blocked, event) => {
      if (event.target instanceof IDBDatabase) event.target.close();
      forget();
    },
    terminated: forget,
  });
  opening.catch(forget);
  return opening;
}

/** Resolves when the entry is on the disk. Rejects when the storage is full or refused. */
async function addEntry(entry: QueueEntry): Promise<void> {
  const db = await openQueue();
  const change = db.transaction("waiting", "readwrite", { durability: "strict" });
  await Promise.all([change.store.put(entry), change.done]);
}

/** The oldest entries for a key, at most as many as one request may have. */
async function listWaiting(keyId: string): Promise<QueueEntry[]> {
  const db = await openQueue();
  const entries = await db.getAllFromIndex("waiting", "byAge", allOf(keyId), batchLimits.entries);
  let size = 0;
  return entries.filter(({ content }, index) => {
    size += content.length;
    // Leaves room for the rest of the request.
    return index === 0 || size < batchLimits.bytes * 0.9;
  });
}

/** Sends entries; "failed" for everything that isn't our server's answer, such as the page of a hotel's network. */
async function postEntries(path: string, entries: readonly QueueEntry[]): Promise<BatchResponse | "closed" | "failed"> {
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

/** Removes what was delivered, and puts aside what was refused. */
async function applyResults(entries: readonly QueueEntry[], results: readonly EntryResult[]): Promise<void> {
  const db = await openQueue();
  const change = db.transaction(["waiting", "refused"], "readwrite", { durability: "strict" });
  for (const result of results) {
    const entry = entries.find(({ id }) => id === result.id);
    if (!entry) continue;
    if (result.result === "refused")
      await change.objectStore("refused").put({ ...entry, reason: result.reason, refusedAt: Date.now() });
    await change.objectStore("waiting").delete(entry.id);
  }
  await change.done;
}

/** Without a key, counts all that waits as being for other cards. */
export async function countEntries(keyId: string | undefined): Promise<QueueCounts> {
  const db = await openQueue();
  const [all, waiting, refused] = await Promise.all([
    db.count("waiting"),
    keyId === undefined ? 0 : db.countFromIndex("waiting", "byAge", allOf(keyId)),
    db.getAll("refused"),
  ]);
  return { waiting, elsewhere: all - waiting, refused: refused.map(({ reason }) => reason) };
}

/**
 * Deletes what the server refused long ago, and what waits for a link that may be gone, once the server wouldn't accept it anymore. What
 * waits for `sentKeyId` is sent all the same: the server says that it is too old.
 */
export async function deleteOld({ serverTime, sentKeyId }: { serverTime: number; sentKeyId?: string }): Promise<void> {
  const db = await openQueue();
  const change = db.transaction(["waiting", "refused"], "readwrite");
  const [waiting, refused] = [change.objectStore("waiting"), change.objectStore("refused")];
  for (const { id, keyId, loadedAt } of await waiting.getAll())
    if (keyId !== sentKeyId && isTooOld(loadedAt, serverTime)) await waiting.delete(id);
  for (const { id, refusedAt } of await refused.getAll())
    if (Date.now() - refusedAt > refusedStorageMs) await refused.delete(id);
  await change.done;
}

function allOf(keyId: string): IDBKeyRange {
  return IDBKeyRange.bound([keyId, -Infinity], [keyId, Infinity]);
}
