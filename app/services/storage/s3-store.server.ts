import { createHash } from "node:crypto";
import { createReadStream, openAsBlob } from "node:fs";
import { pipeline } from "node:stream/promises";

import type { ListObjectsV2CommandOutput, PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import type { Logger } from "pino";

import { startProblem } from "#app/services/base/errors.ts";
import type { S3Settings } from "#app/services/config/settings.ts";

import { checkedStorePath } from "./file-store.ts";
import type { FileBody, FileStore } from "./file-store.ts";

/** Opens a bucket. Throws a start problem when the bucket rejects us; a server that can't be reached now may come back later. */
export async function openS3Store(settings: S3Settings, log: Logger): Promise<FileStore> {
  const store = await createS3Store(settings);
  try {
    await store.list("")[Symbol.asyncIterator]().next();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    if (isRejection(error))
      throw startProblem(`The bucket ${settings.bucket} at ${settings.endpoint} can't be used: ${reason}`, error);
    log.error({ err: error }, `the bucket ${settings.bucket} can't be reached; files will be missing until it can`);
  }
  return store;
}

type S3StoreOptions = {
  /** How many files a listing requests at once. */
  pageSize?: number;
  /** How long a response may take to begin. Its body may be read as slowly as the visitor downloads it. */
  timeoutMs?: number;
};

/** Stores files in a bucket. The SDK is loaded here, so that an installation without S3 doesn't pay for it. */
export async function createS3Store(
  settings: S3Settings,
  { pageSize = 1_000, timeoutMs = 30_000 }: S3StoreOptions = {},
): Promise<FileStore> {
  const sdk = await import("@aws-sdk/client-s3");
  const client: S3Client = new sdk.S3Client(await clientOptions(settings, timeoutMs));
  const at = (path: string) => ({ Bucket: settings.bucket, Key: checkedStorePath(path) });

  async function put(path: string, body: FileBody, type: string) {
    const command = new sdk.PutObjectCommand({ ...at(path), Body: await contentOf(body), ContentType: type });
    signContentHash(command, await hashOf(body));
    // The path is new, so "not found" means the bucket.
    if (!(await send(() => client.send(command), `PUT ${path}`)))
      throw new Error(`S3 couldn't store ${path}: the bucket doesn't exist`);
  }

  async function open(path: string) {
    const command = new sdk.GetObjectCommand(at(path));
    const response = await send(() => client.send(command), `GET ${path}`);
    return response?.Body && { size: response.ContentLength ?? 0, body: response.Body.transformToWebStream() };
  }

  async function read(path: string) {
    const found = await open(path);
    return found && new Uint8Array(await new Response(found.body).arrayBuffer());
  }

  async function remove(path: string) {
    const command = new sdk.DeleteObjectCommand(at(path));
    await send(() => client.send(command), `DELETE ${path}`);
  }

  async function* list(prefix: string) {
    for (let token: string | undefined, isLast = false; !isLast;) {
      const request = { Bucket: settings.bucket, Prefix: prefix, MaxKeys: pageSize, ContinuationToken: token };
      const page = await send(() => client.send(new sdk.ListObjectsV2Command(request)), "GET of the list");
      if (!page) throw new Error("The S3 bucket doesn't exist.");
      yield* listedFiles(page);
      token = page.NextContinuationToken;
      isLast = !page.IsTruncated;
      if (!isLast && !token) throw new Error("S3 truncated the list of files without a continuation token.");
    }
  }

  return { put, open, read, remove, list };
}

async function clientOptions({ endpoint, region, accessKeyId, secretAccessKey }: S3Settings, timeoutMs: number) {
  const { FetchHttpHandler } = await import("@smithy/fetch-http-handler");
  return {
    endpoint,
    region,
    credentials: { accessKeyId, secretAccessKey },
    forcePathStyle: true,
    maxAttempts: 3,
    // Newer checksums are unknown to many servers that speak S3.
    requestChecksumCalculation: "WHEN_REQUIRED" as const,
    responseChecksumValidation: "WHEN_REQUIRED" as const,
    // The handler for node:http can't send a Blob again when a request is retried.
    requestHandler: new FetchHttpHandler({ customFetch: (request) => fetchWithin(timeoutMs, request) }),
  };
}

async function fetchWithin(timeoutMs: number, request: string | URL | Request): Promise<Response> {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(new Error(`no response within ${timeoutMs / 1000} s`)), timeoutMs);
  try {
    return await fetch(request, { redirect: "manual", signal: controller.signal });
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    // The SDK retries an error of this name.
    throw Object.assign(new Error(cause instanceof Error ? cause.message : String(cause)), { name: "TimeoutError" });
  } finally {
    clearTimeout(timer);
  }
}

/** A file is read from the disk while it is sent, once for each attempt. */
async function contentOf(body: FileBody): Promise<Blob | Uint8Array> {
  return body instanceof Uint8Array ? body : openAsBlob(body.file);
}

async function hashOf(body: FileBody): Promise<string> {
  const hash = createHash("sha256");
  if (body instanceof Uint8Array) hash.update(body);
  else await pipeline(createReadStream(body.file), hash);
  return hash.digest("hex");
}

/** Includes the hash of the content in the signature, so that the server checks it, even over http. The SDK doesn't hash a Blob. */
function signContentHash(command: PutObjectCommand, hash: string): void {
  command.middlewareStack.add(
    (next) => (args) => {
      if (hasHeaders(args.request)) args.request.headers["x-amz-content-sha256"] = hash;
      return next(args);
    },
    { step: "build", name: "signContentHash" },
  );
}

function hasHeaders(request: unknown): request is { headers: Record<string, string> } {
  return typeof request === "object" && request !== null && "headers" in request;
}

/** Throws for a page that isn't a listing, so that an incomplete list is never taken for a complete one. */
function* listedFiles({ Name, KeyCount, IsTruncated, Contents }: ListObjectsV2CommandOutput) {
  const fields = [Name, KeyCount, IsTruncated, Contents];
  if (fields.every((field) => field === undefined)) throw new Error("The S3 response isn't a list of files.");
  for (const { Key, LastModified } of Contents ?? []) {
    if (Key === undefined || !LastModified) throw new Error("The S3 list has a file without a name or time.");
    yield { path: Key, writtenAt: LastModified.getTime() };
  }
}

/** Returns undefined when there is no such file. Errors name the request, but repeat nothing that may hold a key or a signature. */
async function send<Output>(request: () => Promise<Output>, name: string): Promise<Output | undefined> {
  try {
    return await request();
  } catch (error) {
    const { status, code, message } = describeError(error);
    if (status === 404 && code !== "NoSuchBucket") return undefined;
    if (status === undefined) throw new Error(`S3 didn't respond to ${name}: ${message}`, { cause: error });
    throw Object.assign(new Error(`S3 responded to ${name} with ${status}${code && ` ${code}`}`), { status });
  }
}

function describeError(error: unknown): { status: number | undefined; code: string; message: string } {
  if (!(error instanceof Error)) return { status: undefined, code: "", message: String(error) };
  const { name, message } = error;
  if (!("$metadata" in error) || typeof error.$metadata !== "object" || error.$metadata === null)
    return { status: undefined, code: "", message };
  const { $metadata } = error;
  const status = "httpStatusCode" in $metadata ? Number($metadata.httpStatusCode) : undefined;
  return { status: status || undefined, code: name === "Unknown" ? "" : name, message };
}

/** Whether the bucket will answer the same next time: wrong keys, no such bucket. */
function isRejection(error: unknown): boolean {
  if (!(error instanceof Error) || !("status" in error)) return false;
  return typeof error.status === "number" && error.status >= 400 && error.status < 500 && error.status !== 429;
}
