/** Stores uploaded files by path, such as "avatars/<user id>/avatar_1790000000000_192.webp". Any other kind of path throws. */
export type FileStore = {
  /**
   * Writes a file atomically and replaces an older one. A local file (`{ file }`) is moved or streamed, never read into memory as a whole.
   * Throws when it can't be written; `isDiskFull` recognizes a full disk.
   */
  put: (path: string, body: FileBody, type: string) => Promise<void>;
  /** Returns undefined for a missing file. A caller that doesn't read the body to its end must cancel it. */
  open: (path: string) => Promise<{ size: number; body: ReadableStream<Uint8Array> } | undefined>;
  /** Reads a small file into memory. Returns undefined for a missing file. */
  read: (path: string) => Promise<Uint8Array | undefined>;
  /** Does nothing for a missing file. */
  remove: (path: string) => Promise<void>;
  /** Lists all files whose path starts with `prefix`, in no particular order. `writtenAt` is in epoch milliseconds. */
  list: (prefix: string) => AsyncIterable<{ path: string; writtenAt: number }>;
};

export type FileBody = Uint8Array | { file: string };

/**
 * Returns `path` unchanged, or throws. Valid paths are parts of letters, digits, "_", "-" and inner dots, separated by "/".
 * Our own code makes all paths; this check keeps a bug from escaping the store ("..", an absolute path, a NUL) or from touching the
 * store's private files.
 */
export function checkedStorePath(path: string): string {
  if (isStorePath(path)) return path;
  throw new Error(`${JSON.stringify(path.slice(0, 200))} isn't a valid storage path.`);
}

/** Whether a file can have this path. For paths that come from requests. */
export function isStorePath(path: string): boolean {
  return path.length <= maxPathLength && storePathPattern.test(path);
}

const maxPathLength = 400;
const storePathPattern = /^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*(\/[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*)*$/;
