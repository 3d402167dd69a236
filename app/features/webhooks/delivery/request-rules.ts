type RequestParts = { id: string; timestamp: number; signature: string; baseUrl: string };

/** The headers of a message (Standard Webhooks). `timestamp`: when this attempt started, in seconds. */
export function requestHeaders({ id, timestamp, signature, baseUrl }: RequestParts) {
  return {
    "content-type": "application/json",
    "user-agent": `Meishi (+${baseUrl})`,
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": signature,
  };
}
