import type { FeaturePaths } from "#app/services/features/feature-paths.ts";

/**
 * A page can be reached by several spellings of its path ("/u/ada/", "/U/ada", "/u/%61da"). Only the one that our own links use is
 * cached, or anyone could fill the cache with copies.
 */
export function isCanonicalPath(path: string): boolean {
  return path === "/" || /^\/[a-z]+(?:-[a-z]+)*(?:\/[\w-]+)*(?:\/[a-z]+\.[a-z]+)?$/.test(path);
}

/** Returns a function that tells whether the features declare a public page at a path, which is then stored in the database. */
export function createStoredPathMatcher(features: readonly FeaturePaths[]): (path: string) => boolean {
  const patterns = features.flatMap(({ publicPages }) => publicPages ?? []);
  const sources = patterns.map((pattern) => pattern.replaceAll(/:\w+/g, "[\\w-]+"));
  const expression = new RegExp(`^(?:${sources.join("|")})$`);
  return (path) => patterns.length > 0 && expression.test(path);
}
