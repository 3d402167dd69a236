import { basename, extname } from "node:path";

import type { z } from "zod";

import { sendImage, sendResume } from "#app/features/uploads/file-handler.server.ts";
import { ClientRefusal } from "#app/services/client-api/client-route.server.ts";
import type { ClientCall, ClientProblem } from "#app/services/client-api/client-route.server.ts";
import { contentDisposition, safeFileName } from "#app/services/http/file-name.ts";

import { buckets, findObject, readPath } from "./object-data.server.ts";
import type { ObjectPath, StoredObject } from "./object-data.server.ts";

/**
 * A refusal in the form of the specification's client, whose storage answers 400 to everything that the caller can correct, with the
 * usual status as text.
 */
export function refusal(status: number, message: string, [code, error] = names[status] ?? internal): ClientRefusal {
  return new ClientRefusal(status < 500 ? 400 : status, { statusCode: String(status), code, error, message });
}

const internal = ["InternalError", "internal"] as const;
const denied = ["AccessDenied", "Unauthorized"] as const;

/** `code` and `error` by status. */
const names: Record<number, readonly [code: string, error: string]> = {
  400: ["InvalidRequest", "invalid_request"],
  401: denied,
  403: denied,
  404: ["NoSuchKey", "not_found"],
  409: ["ResourceLocked", "ResourceLocked"],
  413: ["EntityTooLarge", "Payload too large"],
  415: ["InvalidMimeType", "invalid_mime_type"],
  422: ["InvalidRequest", "invalid_request"],
  429: ["SlowDown", "SlowDown"],
  507: ["QuotaExceeded", "quota_exceeded"],
};

export const missing = () => refusal(404, "Object not found");

const problems: Record<ClientProblem, [status: number, message: string]> = {
  "no-key": [401, "Send this site's public key in the header apikey. It is shown at /docs/api."],
  "token-malformed": [403, "This access token isn't one of this site."],
  "token-expired": [403, "This access token has expired. Refresh the session."],
  "token-ended": [403, "This session has ended. Sign in again."],
  "second-factor": [403, "This account has two-step verification. Verify a factor first."],
  "too-large": [413, "The body is too large."],
  "outcome-unknown": [503, "This may have worked. Check before you send it again."],
  unavailable: [503, "The server can't do this at the moment. Try again later."],
  internal: [500, "Something went wrong. It was logged."],
};

export function toRefusal(problem: ClientProblem): ClientRefusal {
  return refusal(...problems[problem]);
}

/** The JSON body, as far as the schema names it. */
export async function readBody<Schema extends z.ZodType>({ c }: ClientCall, schema: Schema): Promise<z.output<Schema>> {
  const read = schema.safeParse(parseJson(await c.req.text()));
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw refusal(
    400,
    issue?.path.length ? `${issue.path.join(".")}: ${issue.message}` : "The body isn't a JSON object.",
  );
}

/** Undefined for malformed JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Ends the request with a 404 where there is no such bucket. */
export function requireBucket(name: string | undefined, isPublicRead = false): string {
  const bucket = buckets.get(name ?? "");
  if (name === undefined || !bucket || (isPublicRead && !bucket.isPublic))
    throw refusal(404, "Bucket not found", ["NoSuchBucket", "Bucket not found"]);
  return name;
}

/** The object at "<bucket>/<user id>/<name>", or a 404: also with `ownerId`, if it belongs to another user. */
export async function loadObject({ services }: ClientCall, path: ObjectPath | undefined, ownerId?: string) {
  const isVisible = path && (ownerId === undefined || path.ownerId === ownerId);
  const object = isVisible ? await findObject(services.db, path) : undefined;
  if (!object) throw missing();
  return object;
}

/** The path in the rest of an address: "avatars/<user id>/<name>", percent-encoded. */
export function readEncodedPath(encoded: string, isPublicRead = false): ObjectPath | undefined {
  const [bucket, ...rest] = encoded.split("/");
  return readPath(requireBucket(bucket, isPublicRead), decode(rest.join("/")) ?? "");
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Sends the bytes of an object. With `download` in the query, browsers save it under that name or its own. */
export async function sendObject({ services, c, query }: ClientCall, { file, stored, ...object }: StoredObject) {
  const download = query.get("download");
  const { path, type } = stored;
  const response =
    file.slot === "resume"
      ? await sendResume(c, services, { path, ownerId: object.ownerId, isDownload: download !== null })
      : await sendImage(c, services, { path, type, hasVersion: false });
  if (response.status === 404) throw missing();
  // Apps on other sites show these images.
  response.headers.set("cross-origin-resource-policy", "cross-origin");
  if (download !== null) {
    // The client encodes the name twice in a signed address.
    const name = decode(download) || file.filename || file.pathName || basename(path);
    const options = { extension: extname(path).slice(1), otherwise: "file" };
    const fileName = safeFileName(name.replace(/\.\w{1,5}$/, ""), options);
    response.headers.set("content-disposition", contentDisposition("attachment", fileName, options.otherwise));
  }
  return response;
}
