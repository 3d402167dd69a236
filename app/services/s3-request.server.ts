import { createHash } from "node:crypto";
import { createReadStream, openAsBlob } from "node:fs";
import { pipeline } from "node:stream/promises";
import { setTimeout as pause } from "node:timers/promises";

import { AwsV4Signer } from "aws4fetch";

import type { FileBody } from "./files.server.ts";
import { errorCode } from "./s3-listing.ts";
import type { S3Place } from "./s3-settings.ts";

export type S3Request = {
  method: "GET" | "PUT" | "DELETE";
  /** In the bucket; "" is the bucket itself. */
  path: string;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: FileBody;
};

export type S3Client = {
  /** The answer when the bucket did what was asked, undefined when there is no such file. Anything else throws. */
  ask: (request: S3Request) => Promise<Response | undefined>;
};

/** Each request has three tries: a server that is busy, restarts or can't be reached gets a moment. */
export function createS3Client(place: S3Place, { firstPauseMs = 200, timeoutMs = 30_000 } = {}): S3Client {
  async function ask({ body, ...request }: S3Request) {
    const content = body && (await contentOf(body));
    for (let tries = 1; ; tries++) {
      const answer = await send(place, { ...request, content }, timeoutMs).catch((error: unknown) =>
        unreachable(request, error),
      );
      if (answer instanceof Response && answer.ok) return answer;
      const failure = answer instanceof Response ? await refused(request, answer) : answer;
      if (failure.status === 404 && NO_FILE.includes(failure.code)) return undefined;
      const isPassing = failure.status === 0 || failure.status === 429 || failure.status >= 500;
      if (!isPassing || tries === MAX_TRIES) throw failure.error;
      await pause(firstPauseMs * 4 ** (tries - 1) * (0.75 + Math.random() / 2));
    }
  }
  return { ask };
}

/** Whether the bucket answered, and will answer the same next time: wrong keys, no such bucket. */
export function isS3Refusal(error: unknown): boolean {
  if (!(error instanceof Error) || !("status" in error)) return false;
  return typeof error.status === "number" && error.status >= 400 && error.status < 500 && error.status !== 429;
}

/**
 * The signed request (AWS Signature Version 4). `datetime` is "20261121T101112Z", now if left out; `expires` puts the signature into
 * the address, good for so many seconds, where else it is a header.
 */
export async function signS3(
  place: S3Place,
  { method, path, query = {}, headers = {} }: Omit<S3Request, "body">,
  { datetime, expires }: { datetime?: string; expires?: number } = {},
): Promise<{ url: URL; headers: Headers }> {
  const url = new URL(`${place.endpoint}/${place.bucket}/${path}`);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  if (expires !== undefined) url.searchParams.set("X-Amz-Expires", String(expires));
  const { accessKeyId, secretAccessKey, region } = place;
  const signer = new AwsV4Signer({
    method,
    url: url.href,
    headers,
    accessKeyId,
    secretAccessKey,
    region,
    service: "s3",
    signQuery: expires !== undefined,
    ...(datetime !== undefined && { datetime }),
  });
  return signer.sign();
}

type Prepared = Omit<S3Request, "body"> & { content: Content | undefined };

async function send(place: S3Place, { content, ...request }: Prepared, timeoutMs: number): Promise<Response> {
  const { method } = request;
  const hash = content?.hash ?? EMPTY_HASH;
  const { url, headers } = await signS3(place, {
    ...request,
    headers: { ...request.headers, "x-amz-content-sha256": hash },
  });
  // The time is for the answer to begin. What it holds may be read as slowly as a visitor takes it.
  const patience = new AbortController();
  const timer = setTimeout(() => patience.abort(new Error(`no answer within ${timeoutMs / 1000} s`)), timeoutMs);
  try {
    const init = { method, headers, redirect: "manual" as const, signal: patience.signal };
    return await fetch(url, content ? { ...init, body: content.body } : init);
  } finally {
    clearTimeout(timer);
  }
}

type Content = { body: Blob | Uint8Array<ArrayBuffer>; hash: string };

/**
 * A file is read from the disk as it is sent, once more for each try; its length is known, which S3 asks for. The hash is signed: what
 * arrives is what was sent, also where the way there is not encrypted.
 */
async function contentOf(body: FileBody): Promise<Content> {
  if (body instanceof Uint8Array) {
    const bytes = new Uint8Array(body);
    return { body: bytes, hash: Buffer.from(await crypto.subtle.digest("SHA-256", bytes)).toString("hex") };
  }
  const hash = createHash("sha256");
  await pipeline(createReadStream(body.file), hash);
  return { body: await openAsBlob(body.file), hash: hash.digest("hex") };
}

type Asked = Pick<S3Request, "method" | "path">;

type Failure = { status: number; code: string; error: Error };

/** What the server says is not repeated, its code aside: it may hold the key's name and what was signed. */
async function refused({ method, path }: Asked, answer: Response): Promise<Failure> {
  const { status } = answer;
  const code = errorCode(await answer.text());
  const error = new Error(`S3 answered ${status}${code && ` ${code}`} to ${method} ${path || "of the list"}`);
  return { status, code, error: Object.assign(error, { status }) };
}

function unreachable({ method, path }: Asked, error: unknown): Failure {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const said = cause instanceof Error ? cause.message : String(cause);
  const failed = new Error(`S3 did not answer to ${method} ${path || "of the list"}: ${said}`);
  return { status: 0, code: "", error: failed };
}

const EMPTY_HASH = createHash("sha256").digest("hex");
const MAX_TRIES = 3;
/** "" is of servers that say no more than 404. */
const NO_FILE = ["NoSuchKey", ""];
