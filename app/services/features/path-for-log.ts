import type { FeaturePaths } from "./feature-paths.ts";

/** Returns a function that replaces mail addresses, and the secrets of the features, in the path of a request: "/shared/…". */
export function createPathForLog(features: readonly FeaturePaths[]): (path: string) => string {
  const patterns = features.flatMap(({ secretPaths = [] }) => secretPaths).map((path) => path.split("/").slice(1));
  return (path) => {
    const parts = path.split("/");
    const plain = parts.map(withoutEscapes);
    const secrets = patterns.flatMap((pattern) => secretIndexes(pattern, plain));
    return parts.map((part, index) => (secrets.includes(index) || plain[index]?.includes("@") ? "…" : part)).join("/");
  };
}

/** Routes decode a path before they compare it: "%73hared" -> "shared". Bytes become characters, which is enough for ASCII. */
function withoutEscapes(part: string): string {
  return part.replace(/%[\da-f]{2}/gi, (escape) => String.fromCharCode(Number.parseInt(escape.slice(1), 16)));
}

/** Which parts of a path are secrets according to one pattern. As for routes, case and empty parts don't count. */
function secretIndexes(pattern: readonly string[], parts: readonly string[]): number[] {
  const indexes: number[] = [];
  for (let index = 0; index < parts.length && indexes.length < pattern.length; index++)
    if (parts[index] !== "") indexes.push(index);
  const isMatch = pattern.every((name, at) => {
    const part = parts[indexes[at] ?? -1];
    return part !== undefined && (name.startsWith(":") || name.toLowerCase() === part.toLowerCase());
  });
  return isMatch ? indexes.filter((_, at) => pattern[at]?.startsWith(":")) : [];
}
