import { chmod, mkdir, open, opendir, readFile, rename, rm, rmdir, stat, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";

import { systemCode } from "./database-errors.ts";
import { checkedPath } from "./files-path.ts";
import { openToRead } from "./files-reading.server.ts";
import type { FileBody, Store } from "./files.server.ts";

/** The store in a folder of this machine, which is there already. `draft` names new files on the same disk. */
export function openFolder(folder: string, draft: () => string): Store {
  const placeOf = (path: string) => join(folder, checkedPath(path));

  return {
    put: async (path, body) => put(placeOf(path), body, { folder, draft }),
    open: async (path) => orNone(() => openToRead(placeOf(path))),
    read: async (path) => orNone(() => readFile(placeOf(path))),
    remove: async (path) => remove(placeOf(path), folder),
    list: (prefix) => list(folder, prefix),
  };
}

type Place = { folder: string; draft: () => string };

async function put(target: string, body: FileBody, { folder, draft }: Place): Promise<void> {
  const written = draft();
  try {
    if (body instanceof Uint8Array) await writeDurably(written, body);
    else {
      await rename(body.file, written);
      await chmod(written, 0o600);
      await sync(written);
    }
    await moveTo(target, written, folder);
  } finally {
    await rm(written, { force: true });
  }
}

async function writeDurably(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, "wx", 0o600);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function moveTo(target: string, written: string, folder: string): Promise<void> {
  const made = await tryToMove(target, written, MAX_TRIES);
  // The new name is on the disk only once its folder is; a new folder only once the one that it is in is.
  for (let above = dirname(target); ; above = dirname(above)) {
    await sync(above);
    if (!made || above === folder) return;
  }
}

/** A folder that is left empty is removed, perhaps between our making it and moving into it: then it is made once more. */
async function tryToMove(target: string, written: string, tries: number): Promise<boolean> {
  try {
    const made = await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    await rename(written, target);
    return made !== undefined;
  } catch (error) {
    if (systemCode(error) !== "ENOENT" || tries === 1) throw error;
    await tryToMove(target, written, tries - 1);
    return true;
  }
}

const MAX_TRIES = 10;

async function sync(path: string): Promise<void> {
  const file = await open(path, "r");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** What is not there, or is a folder, is no file. */
async function orNone<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (MISSING.includes(systemCode(error))) return undefined;
    throw error;
  }
}

const MISSING = ["ENOENT", "ENOTDIR", "EISDIR"];

async function remove(place: string, folder: string): Promise<void> {
  await orNone(() => unlink(place));
  for (let above = dirname(place); above !== folder; above = dirname(above)) {
    if (!(await isRemoved(above))) return;
  }
}

async function isRemoved(emptyFolder: string): Promise<boolean> {
  try {
    await rmdir(emptyFolder);
    return true;
  } catch (error) {
    if (["ENOTEMPTY", "EEXIST", ...MISSING].includes(systemCode(error))) return false;
    throw error;
  }
}

async function* list(folder: string, prefix: string) {
  const start = prefix.slice(0, prefix.lastIndexOf("/") + 1);
  if (start) checkedPath(start.slice(0, -1));
  for await (const path of walk(folder, start)) {
    if (!path.startsWith(prefix)) continue;
    const found = await orNone(() => stat(join(folder, path)));
    if (found) yield { path, writtenAt: found.mtimeMs };
  }
}

/** Names with a dot in front are the store's own. */
async function* walk(folder: string, inside: string): AsyncGenerator<string> {
  const entries = await orNone(() => opendir(join(folder, inside)));
  if (!entries) return;
  for await (const entry of entries) {
    if (entry.name.startsWith(".")) continue;
    if (entry.isDirectory()) yield* walk(folder, `${inside}${entry.name}/`);
    else if (entry.isFile()) yield inside + entry.name;
  }
}
