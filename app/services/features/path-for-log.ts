import { containsKey } from "#app/services/api/api-key.ts";
import { shortened } from "#app/services/base/plain-text.ts";

import type { FeaturePaths } from "./feature-paths.ts";

/**
 * Returns a function that replaces mail addresses, API keys and the secrets of the features in the path of a request, and shortens it:
 * "/shared/…".
 */
export function createPathForLog(features: readonly FeaturePaths[]): (path: string) => string {
  const patterns = features.flatMap(({ secretPaths = [] }) => secretPaths).map((path) => path.split("/").slice(1));
  return (path) => {
    // Mail programs and chats may escape a link once more, slashes included. Separators have odd indexes.
    const written = path.slice(0, maxReadLength).replace(escapedQuery, "…");
    const pieces = written.split(/(\/|%(?:25)*(?:2f|5c))/i);
    const parts = pieces.filter((_, index) => index % 2 === 0);
    const plain = parts.map(withoutEscapes);
    const secrets = patterns.flatMap((pattern) => secretIndexes(pattern, plain));
    const isPrivate = (part = "") => emailPattern.test(part) || containsKey(part);
    const isHidden = (index: number) => secrets.includes(index) || isPrivate(plain[index]);
    return shortened(pieces.map((piece, at) => (at % 2 === 0 && isHidden(at / 2) ? "…" : piece)).join(""), maxLength);
  };
}

/** Enough of a path to find the wrong link. */
const maxLength = 300;
/** Longer than any address of ours. */
const maxReadLength = 2000;
const escapedQuery = /%(?:25)*3f.*$/is;
const emailPattern = /.@|@./;

/** Routes decode a path before they compare it: "%73hared" -> "shared". Bytes become characters, which is enough for ASCII. */
function withoutEscapes(part: string): string {
  return part.replace(/%(?:25)*([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
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
