import { basename } from "node:path";

import { z } from "zod";

import { uploadDeps } from "#app/features/profile/profile-upload.server.ts";
import { removeAsset } from "#app/features/uploads/data.server.ts";
import { acceptUpload, receiveFile } from "#app/features/uploads/upload-handler.server.ts";
import { readSignedText, signedText } from "#app/services/base/signed-token.server.ts";
import type { ClientCall } from "#app/services/client-api/client-route.server.ts";
import { isMultipart } from "#app/services/http/form-body.ts";

import {
  createFinder,
  describeFolder,
  describeObject,
  findObject,
  listObjects,
  readPath,
  slotOf,
} from "./object-data.server.ts";
import type { ObjectPath } from "./object-data.server.ts";
import {
  loadObject,
  missing,
  readBody,
  readEncodedPath,
  refusal,
  requireBucket,
  sendObject,
} from "./object-response.server.ts";

function requireOwner({ session }: ClientCall) {
  if (!session) throw refusal(403, "Sign in first.");
  return session.viewer;
}

/** `POST /object/<path>` and `PUT`: stores a file. POST replaces one at this path only with `x-upsert: true`. */
export async function respondToUpload(call: ClientCall, rest: string): Promise<Response> {
  const { services, c, method } = call;
  const owner = requireOwner(call);
  const path = readEncodedPath(rest);
  if (!path) throw invalidKey();
  if (path.ownerId !== owner.id) throw refusal(403, "Files are stored in the folder with your own user ID.");
  const existing = await findObject(services.db, path);
  const slot = slotOf(path, existing);
  if (!slot) throw invalidKey();
  if (existing && method === "POST" && c.req.header("x-upsert") !== "true")
    throw refusal(409, "The resource already exists", ["KeyAlreadyExists", "Duplicate"]);
  const type = c.req.header("content-type");
  const formType = type !== undefined && isMultipart(type) ? type : undefined;
  const receive = receiveFile(services, { slot, request: c.req.raw, formType });
  const filename = basename(path.name);
  const result = await acceptUpload(services, uploadDeps, {
    owner,
    slot,
    filename,
    // A resume has a fixed path.
    pathName: slot === "resume" ? undefined : filename,
    // Browsers and Node call a file without a name "blob".
    receive: (work) => receive((file, name) => work(file, name === "blob" ? undefined : name)),
  });
  if (result.kind === "refused") throw refusal(result.status, result.message);
  const stored = await findObject(services.db, path);
  return Response.json({ Id: stored?.file.id, Key: stored?.key ?? path.key });
}

const invalidKey = () =>
  refusal(
    400,
    "Store resumes/{your user ID}/resume.{ext}, avatars/… and banners/{your user ID}/{name}, and " +
      "pass-assets/{your user ID}/backgrounds/{name} or …/logos/{name}. Names have letters, digits and !.*'()&$@=;:+, -",
    ["InvalidKey", "InvalidKey"],
  );

/** `GET /object/<path>`: one of the user's own files. */
export async function respondWithOwn(call: ClientCall, rest: string): Promise<Response> {
  return sendObject(call, await loadObject(call, readEncodedPath(rest), requireOwner(call).id));
}

/** `GET /object/public/<path>`: anyone reads it, without a key. */
export async function respondWithPublic(call: ClientCall, rest: string): Promise<Response> {
  return sendObject(call, await loadObject(call, readEncodedPath(rest, true)));
}

/** `GET /object/info/<path>` */
export async function respondWithInfo(call: ClientCall, rest: string): Promise<Response> {
  const object = await loadObject(call, readEncodedPath(rest), requireOwner(call).id);
  const { file, stored, bucket, name } = object;
  const facts = { version: file.id, bucket_id: bucket, size: stored.bytes, content_type: stored.type };
  return Response.json({ ...describeObject(object, name), ...facts });
}

const maxSignedSeconds = 365 * 24 * 60 * 60;
const expiresIn = z.int().min(1).max(maxSignedSeconds).default(3_600);
const pathText = z.string().max(1_000);

const purposeOf = ({ key }: ObjectPath) => `app file ${key}`;

/** `POST /object/sign/<path>`: an address that lets anyone who has it read one of the user's files for some time. */
export async function respondToSign(call: ClientCall, rest: string): Promise<Response> {
  const owner = requireOwner(call);
  const [bucket, ...more] = rest.split("/");
  if (more.length === 0) return respondToSignSeveral(call, requireBucket(bucket), owner.id);
  const { expiresIn: seconds } = await readBody(call, z.object({ expiresIn }));
  const path = readEncodedPath(rest);
  await loadObject(call, path, owner.id);
  return Response.json({ signedURL: path && signUrl(call, path, seconds) });
}

async function respondToSignSeveral(call: ClientCall, bucket: string, ownerId: string): Promise<Response> {
  const body = await readBody(call, z.object({ expiresIn, paths: z.array(pathText).max(100) }));
  const find = await createFinder(call.services.db, { bucket, ownerId });
  const results = body.paths.map((text) => {
    const path = readPath(bucket, text);
    return path && find(path)
      ? { error: null, path: text, signedURL: signUrl(call, path, body.expiresIn) }
      : { error: "Either the object does not exist or you do not have access to it", path: text, signedURL: null };
  });
  return Response.json(results);
}

/** Not encoded: the client does that. */
function signUrl({ services }: ClientCall, path: ObjectPath, seconds: number): string {
  const expires = Math.floor(services.clock() / 1_000) + seconds;
  return `/object/sign/${path.key}?token=${signedText(services.sign, purposeOf(path), String(expires))}`;
}

/** `GET /object/sign/<path>?token=…`: without a key. */
export async function respondWithSigned(call: ClientCall, rest: string): Promise<Response> {
  const { services, query } = call;
  const path = readEncodedPath(rest);
  if (!path) throw missing();
  const expires = readSignedText(services.sign, purposeOf(path), query.get("token") ?? "");
  if (expires === undefined || services.clock() >= Number(expires) * 1_000)
    throw refusal(400, "This link is incomplete or has expired.", ["InvalidJWT", "InvalidJWT"]);
  return sendObject(call, await loadObject(call, path));
}

const listBody = z.object({
  prefix: pathText.default(""),
  limit: z.int().min(1).max(1_000).default(100),
  offset: z.int().min(0).default(0),
  search: z.string().max(200).default(""),
  sortBy: z
    .object({
      column: z.enum(["name", "created_at", "updated_at", "last_accessed_at"]).default("name"),
      order: z.enum(["asc", "desc"]).default("asc"),
    })
    .default({ column: "name", order: "asc" }),
});

/** `POST /object/list/<bucket>`: the files and folders in a folder of the user. Those of other users are empty. */
export async function respondToList(call: ClientCall, bucket: string): Promise<Response> {
  const { id: ownerId } = requireOwner(call);
  requireBucket(bucket);
  const { prefix, limit, offset, search, sortBy } = await readBody(call, listBody);
  const folder = prefix.replace(/^\/+|\/+$/g, "");
  const start = folder === "" ? `${bucket}/` : `${bucket}/${folder}/`;
  const entries = new Map<string, ReturnType<typeof describeObject> | ReturnType<typeof describeFolder>>();
  for (const object of await listObjects(call.services.db, { bucket, ownerId })) {
    const [name = "", ...below] = object.key.slice(start.length).split("/");
    if (!object.key.startsWith(start) || !name.toLowerCase().includes(search.toLowerCase())) continue;
    entries.set(name, below.length === 0 ? describeObject(object, name) : describeFolder(name));
  }
  const { column, order } = sortBy;
  const valueOf = (entry: { [name in typeof column]: string | null }) => entry[column] ?? "";
  const sorted = [...entries.values()].toSorted(
    (a, b) => (valueOf(a) < valueOf(b) ? -1 : valueOf(a) > valueOf(b) ? 1 : 0) * (order === "asc" ? 1 : -1),
  );
  return Response.json(sorted.slice(offset, offset + limit));
}

/** `DELETE /object/<bucket>`: removes those of the paths that are the user's own, and responds with them. */
export async function respondToRemove(call: ClientCall, bucket: string): Promise<Response> {
  const { id: ownerId } = requireOwner(call);
  requireBucket(bucket);
  const { prefixes } = await readBody(call, z.object({ prefixes: z.array(pathText).max(1_000) }));
  const find = await createFinder(call.services.db, { bucket, ownerId });
  const removed = [];
  for (const text of prefixes) {
    const object = find(readPath(bucket, text));
    if (!object) continue;
    const { slot, version } = object.file;
    // With the version, the second path of one file finds nothing, and a file that was just replaced stays.
    const result = await removeAsset(call.services, { ownerId, slot, version });
    if (result.kind === "removed") removed.push({ ...describeObject(object, text), bucket_id: bucket });
  }
  return Response.json(removed);
}
