/**
 * What `GET /events` tells the owner of an account about. `reload`: events may be missing, so anything may have changed. `signed-out`: the
 * session has ended, and with it the connection.
 */
export const liveKinds = [
  "card.saved",
  "card.deleted",
  "profile.saved",
  "plan.changed",
  "lead.created",
  "pass.updated",
  "account.changed",
  "visit",
  "reload",
  "signed-out",
] as const;

export type LiveKind = (typeof liveKinds)[number];

/** Ids only, such as `cardId`: a client requests the rest. */
export type LiveData = Readonly<Record<string, string>>;

/** An event as a page of the signed-in user gets it. */
export type LiveEvent = { kind: LiveKind; data: LiveData };

export function isLiveKind(kind: string): kind is LiveKind {
  return liveKinds.some((known) => known === kind);
}

const encoder = new TextEncoder();

/** An event as bytes (WHATWG HTML, 9.2.5). Without an id, the client's last one stays. JSON has no line breaks. */
export function eventFrame({
  id,
  kind,
  data,
}: {
  id?: string | undefined;
  kind: LiveKind;
  data: LiveData;
}): Uint8Array {
  return encoder.encode(`${idLine(id)}event: ${kind}\ndata: ${JSON.stringify(data)}\n\n`);
}

/** The start of a stream. `retryMs` is how long a client waits before it connects again. */
export function openingFrame(retryMs: number): Uint8Array {
  return encoder.encode(`retry: ${retryMs}\n: connected\n\n`);
}

/** A comment that keeps the connection open. With a position, a client that reconnects is sent less. */
export function heartbeatFrame(position: string | undefined): Uint8Array {
  return encoder.encode(`: heartbeat\n${idLine(position)}\n`);
}

function idLine(id: string | undefined): string {
  return id === undefined ? "" : `id: ${id}\n`;
}
