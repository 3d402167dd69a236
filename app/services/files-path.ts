/**
 * The same path, or an exception: parts of letters, digits, "_", "-" and inner dots, with "/" between them. Paths are made by us; this
 * is so that a mistake in making one can't leave the store ("..", an absolute path, a NUL) or reach what the store keeps for itself.
 */
export function checkedPath(path: string): string {
  if (isPath(path)) return path;
  throw new Error(`${JSON.stringify(path.slice(0, 200))} is no path in the store.`);
}

/** Whether there can be a file of this name: for paths that come from outside. */
export function isPath(path: string): boolean {
  return path.length <= LONGEST && PATH.test(path);
}

const LONGEST = 400;
const PATH = /^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*(\/[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*)*$/;
