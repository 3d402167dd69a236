import { createHash } from "node:crypto";
import { basename, dirname } from "node:path";

import { listOwnFiles } from "#app/features/uploads/data.server.ts";
import type { OwnFile } from "#app/features/uploads/data.server.ts";
import { cardIdOf, linkImageIdOf } from "#app/features/uploads/rules.ts";
import type { Slot } from "#app/features/uploads/rules.ts";
import type { Db } from "#app/services/database/database.server.ts";

/** The buckets of the specification (document 2, section 7), and whether anyone may read what is in them. */
export const buckets: ReadonlyMap<string, { isPublic: boolean }> = new Map([
  ["avatars", { isPublic: true }],
  ["banners", { isPublic: true }],
  ["pass-assets", { isPublic: true }],
  ["resumes", { isPublic: false }],
]);

/** Where apps find a file. `key` is "avatars/<user id>/avatar_1790000000000.jpg": the bucket, the folder of the owner, and the name. */
export type ObjectPath = { key: string; bucket: string; ownerId: string; name: string };

/**
 * A file as apps see it. An image that is stored in several sizes is one object, its JPEG or PNG. It has the name under which an app stored
 * it; other files have the name of the stored file.
 */
export type StoredObject = ObjectPath & { file: OwnFile; stored: OwnFile["files"][number] };

/** The parts of "<user id>/<name>" in a bucket; undefined for text that can't be the path of an object. */
export function readPath(bucket: string, path: string): ObjectPath | undefined {
  const [, ownerId, name] = /^([\w-]{1,64})\/(.+)$/.exec(path) ?? [];
  if (ownerId === undefined || name === undefined || !namePattern.test(name)) return undefined;
  return { key: `${bucket}/${ownerId}/${name}`, bucket, ownerId, name };
}

/** The characters that the specification's storage allows, but those that end the path of a URL. Pass assets are in a folder. */
const namePattern = /^(?:[\w-]{1,64}\/)?(?=[^/]*\w)[\w!.*'()&$@=;:+, -]{1,150}$/;

/** An owner's files in a bucket, newest first. */
export async function listObjects(db: Db, { bucket, ownerId }: Pick<ObjectPath, "bucket" | "ownerId">) {
  const files = (await listOwnFiles(db, ownerId)).toReversed();
  return files.flatMap((file) => toObject(file, ownerId)).filter((object) => object.bucket === bucket);
}

function toObject(file: OwnFile, ownerId: string): StoredObject[] {
  // The last variant of an image is its JPEG or PNG.
  const stored = file.files.at(-1);
  if (!stored || cardIdOf(file.slot) !== undefined || linkImageIdOf(file.slot) !== undefined) return [];
  const [bucket = "", , ...folders] = dirname(stored.path).split("/");
  const name = [...folders, file.pathName || basename(stored.path)].join("/");
  return [{ key: `${bucket}/${ownerId}/${name}`, bucket, ownerId, name, file, stored }];
}

/** The object at a path. The one resume of an owner is found with any extension: its bytes decide which one it is stored with. */
export async function findObject(db: Db, path: ObjectPath): Promise<StoredObject | undefined> {
  return (await createFinder(db, path))(path);
}

/** The same for several paths in an owner's folder. Others, and what isn't a path, are not found. */
export async function createFinder(db: Db, folder: Pick<ObjectPath, "bucket" | "ownerId">) {
  const objects = await listObjects(db, folder);
  return (path: ObjectPath | undefined) =>
    objects.find(
      ({ ownerId, name, file }) =>
        path?.ownerId === ownerId && (name === path.name || (file.slot === "resume" && isResume(path.name))),
    );
}

const isResume = (name: string) => /^resume\.\w{1,10}$/.test(name);

/**
 * What an object stored at this path is for; undefined where none can be stored. An owner has one avatar, banner and resume, so each new one
 * replaces the previous, whatever its name.
 */
export function slotOf({ bucket, name }: ObjectPath, existing: StoredObject | undefined): Slot | undefined {
  if (existing) return existing.file.slot;
  const [folder, ...rest] = name.split("/");
  if (bucket === "pass-assets") {
    const kind = folder === "backgrounds" ? "pass-background" : folder === "logos" ? "pass-logo" : undefined;
    // Not random: two requests at once for one path store one object.
    const id = createHash("sha256").update(name).digest("base64url").slice(0, 22);
    return kind && rest.length === 1 ? `${kind}:${id}` : undefined;
  }
  if (rest.length > 0) return undefined;
  if (bucket === "resumes") return isResume(name) ? "resume" : undefined;
  return bucket === "avatars" ? "avatar" : "banner";
}

/** How the client describes an object; `name` is relative to the folder that it lists. */
export function describeObject({ file, stored }: StoredObject, name: string) {
  const at = new Date(file.createdAt).toISOString();
  return {
    name,
    id: file.id,
    updated_at: at,
    created_at: at,
    last_accessed_at: at,
    metadata: {
      eTag: `"${file.id}"`,
      size: stored.bytes,
      mimetype: stored.type,
      cacheControl: "no-cache",
      lastModified: at,
      contentLength: stored.bytes,
      httpStatusCode: 200,
    },
  };
}

/** A folder in a list, which has no facts of its own. */
export function describeFolder(name: string) {
  return { name, id: null, updated_at: null, created_at: null, last_accessed_at: null, metadata: null };
}
