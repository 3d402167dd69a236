import { z } from "zod";

/** A message of the Phoenix protocol. `joinRef` and `ref` are the client's; a message without `ref` wants no reply. */
export type Frame = { joinRef: string | null; ref: string | null; topic: string; event: string; payload: unknown };

const ref = z
  .string()
  .max(64)
  .nullish()
  .transform((text) => text ?? null);
const frameSchema = z.object({
  join_ref: ref,
  ref,
  topic: z.string().max(256),
  event: z.string().max(64),
  payload: z.unknown(),
});

/** Reads a message of protocol 1.0 (an object) or 2.0 (a list, or bytes for a broadcast); undefined for anything else. */
export function readFrame(message: string | Uint8Array): Frame | undefined {
  const parsed = frameSchema.safeParse(typeof message === "string" ? readText(message) : readBytes(message));
  if (!parsed.success) return undefined;
  const { join_ref: joinRef, ...rest } = parsed.data;
  return { joinRef, ...rest };
}

function readText(message: string): unknown {
  try {
    const value: unknown = JSON.parse(message);
    if (!Array.isArray(value)) return value;
    const [join_ref, ref, topic, event, payload]: unknown[] = value;
    return { join_ref, ref, topic, event, payload };
  } catch {
    return undefined;
  }
}

/** The header of a client's broadcast: kind 3, five lengths and the encoding, then the texts with the first of these lengths. */
function readBytes(message: Uint8Array): unknown {
  const [kind, joinRefLength = 0, refLength = 0, topicLength = 0] = message;
  if (kind !== 3) return undefined;
  let at = 7;
  const take = (length: number) => Buffer.from(message.subarray(at, (at += length))).toString();
  const [join_ref, ref, topic] = [take(joinRefLength), take(refLength), take(topicLength)];
  return { join_ref, ref, topic, event: "broadcast", payload: {} };
}

/** Writes a message for protocol 1.0 or 2.0. */
export function writeFrame({ joinRef, ref, topic, event, payload }: Frame, version: 1 | 2): string {
  return JSON.stringify(
    version === 2 ? [joinRef, ref, topic, event, payload] : { join_ref: joinRef, ref, topic, event, payload },
  );
}
