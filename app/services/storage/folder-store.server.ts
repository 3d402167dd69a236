import { close, createReadStream, fstat, open as openFile, readFile as readDescriptor } from "node:fs";
import { chmod, mkdir, open, opendir, readFile, rename, rm, rmdir, stat, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { promisify } from "node:util";

import { systemCode } from "#app/services/base/errors.ts";

import { checkedStorePath } from "./file-store.ts";
import type { FileBody, FileStore } from "./file-store.ts";

/** Stores files in an existing folder of this machine. `tempPath` returns a new path on the same disk. */
export function openFolderStore(folder: string, tempPath: () => string): FileStore {
  const fullPath = (path: string) => join(folder, checkedStorePath(path));

  return {
    put: async (path, body) => put(fullPath(path), body, { folder, tempPath }),
    open: async (path) => undefinedIfMissing(() => openToRead(fullPath(path))),
    read: async (path) => undefinedIfMissing(() => readFile(fullPath(path))),
    remove: async (path) => remove(fullPath(path), folder),
    list: (prefix) => list(folder, prefix),
  };
}

async function put(
  target: string,
  body: FileBody,
  { folder, tempPath }: { folder: string; tempPath: () => string },
): Promise<void> {
  const written = tempPath();
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
  const isNewFolder = await tryToMove(target, written, maxTries);
  // A new name is on the disk once its folder is synced, and a new folder once its parent is.
  for (let above = dirname(target); ; above = dirname(above)) {
    await sync(above);
    if (!isNewFolder || above === folder) return;
  }
}

/** Another request may remove the empty folder between `mkdir` and `rename`, so both are tried again. Returns whether a folder was made. */
async function tryToMove(target: string, written: string, tries: number): Promise<boolean> {
  try {
    const firstFolder = await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    await rename(written, target);
    return firstFolder !== undefined;
  } catch (error) {
    if (systemCode(error) !== "ENOENT" || tries === 1) throw error;
    await tryToMove(target, written, tries - 1);
    return true;
  }
}

const maxTries = 10;

async function sync(path: string): Promise<void> {
  const file = await open(path, "r");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Returns undefined when there is no file at the path, or a folder. */
async function undefinedIfMissing<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (missingCodes.includes(systemCode(error))) return undefined;
    throw error;
  }
}

const missingCodes = ["ENOENT", "ENOTDIR", "EISDIR"];

/** Removes the file and the folders that are left empty. */
async function remove(target: string, folder: string): Promise<void> {
  await undefinedIfMissing(() => unlink(target));
  for (let above = dirname(target); above !== folder; above = dirname(above)) {
    if (!(await isRemoved(above))) return;
  }
}

async function isRemoved(emptyFolder: string): Promise<boolean> {
  try {
    await rmdir(emptyFolder);
    return true;
  } catch (error) {
    if (["ENOTEMPTY", "EEXIST", ...missingCodes].includes(systemCode(error))) return false;
    throw error;
  }
}

async function* list(folder: string, prefix: string) {
  const start = prefix.slice(0, prefix.lastIndexOf("/") + 1);
  if (start) checkedStorePath(start.slice(0, -1));
  for await (const path of walk(folder, start)) {
    if (!path.startsWith(prefix)) continue;
    const stats = await undefinedIfMissing(() => stat(join(folder, path)));
    if (stats) yield { path, writtenAt: stats.mtimeMs };
  }
}

/** Skips names that start with a dot: they are the store's own. */
async function* walk(folder: string, parent: string): AsyncGenerator<string> {
  const entries = await undefinedIfMissing(() => opendir(join(folder, parent)));
  if (!entries) return;
  for await (const entry of entries) {
    if (entry.name.startsWith(".")) continue;
    if (entry.isDirectory()) yield* walk(folder, `${parent}${entry.name}/`);
    else if (entry.isFile()) yield parent + entry.name;
  }
}

/**
 * Opens a file once, so that its size and body belong together when it is replaced or removed in the meantime. Returns undefined for a folder.
 * Uses a plain descriptor: Node ends the process when a FileHandle is garbage-collected, which a body that is never read may cause.
 */
async function openToRead(path: string) {
  const descriptor = await openDescriptor(path, "r");
  try {
    const stats = await statDescriptor(descriptor);
    if (stats.isFile() && stats.size > maxSingleReadBytes) {
      const body = Readable.toWeb(createReadStream("", { fd: descriptor }));
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Node's type and the DOM's describe the same class
      return { size: stats.size, body: body as ReadableStream<Uint8Array> };
    }
    const bytes = stats.isFile() ? await readAll(descriptor) : undefined;
    await closeDescriptor(descriptor);
    return bytes && { size: bytes.length, body: new Blob([bytes]).stream() };
  } catch (error) {
    await closeDescriptor(descriptor);
    throw error;
  }
}

const openDescriptor = promisify(openFile);
const statDescriptor = promisify(fstat);
const readAll = promisify(readDescriptor);
const closeDescriptor = promisify(close);

/** Smaller files are read at once, which leaves no descriptor open. */
const maxSingleReadBytes = 262_144;
