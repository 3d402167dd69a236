/**
 * Where a person is sent after signing in: a path on this site, from `returnTo` or `redirect` in the address, else "/".
 * Nothing else is followed, or a link to our own login page could lead to somebody else's copy of it. Pages of signing in
 * are not followed either: there is nothing to do on them any more.
 */
export function readReturnTo(search: URLSearchParams): string {
  for (const name of ["returnTo", "redirect"]) {
    const path = ownPath(search.get(name) ?? "");
    if (path && !isAccountPage(path)) return path;
  }
  return "/";
}

/** The address of the login page that leads back to `path` afterwards. */
export function authPath(path: string, query: Record<string, string> = {}): string {
  const search = new URLSearchParams(query);
  if (path !== "/") search.set("returnTo", path);
  return search.size > 0 ? `/auth?${search}` : "/auth";
}

/** The plan that somebody chose before they signed up. */
export type Tier = "free" | "premium";

export function readTier(search: URLSearchParams): Tier | undefined {
  const tier = search.get("tier");
  return tier === "free" || tier === "premium" ? tier : undefined;
}

/** What was typed as an address, when it is a path on this site and on no other, however a browser or a proxy reads it. */
export function ownPath(typed: string): string | undefined {
  if (typed.length > MAX_LENGTH || !isPlainPath(typed) || !URL.canParse(typed, ORIGIN)) return undefined;
  const { origin, pathname, search, hash } = new URL(typed, ORIGIN);
  // "/.//evil" becomes "//evil", and "/%2e/%2fevil" may become it in a proxy.
  if (origin !== ORIGIN || !isPlainPath(decoded(pathname) ?? "")) return undefined;
  return pathname + search + hash;
}

/** One slash at the start; nothing that a browser reads as a slash, and nothing that it drops. */
function isPlainPath(text: string): boolean {
  return /^\/(?![/\\])/.test(text) && !/[\\\p{Cc}\p{Zl}\p{Zp}]/u.test(text);
}

/** As deep as anybody may decode it; undefined when it can't be decoded at all, and leads to no page. */
function decoded(path: string): string | undefined {
  let text = decodedOnce(path);
  for (let depth = 0; depth < 5 && text !== undefined; depth++) {
    const deeper = decodedOnce(text);
    if (deeper === undefined) return text;
    text = deeper;
  }
  return text;
}

function decodedOnce(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function isAccountPage(address: string): boolean {
  const path = new URL(address, ORIGIN).pathname
    .toLowerCase()
    .replace(/\/+$/, "")
    .replace(/\.data$/, "");
  return ["/auth", "/signup", "/forgot-password", "/reset-password"].some(
    (page) => path === page || path.startsWith(`${page}/`),
  );
}

const ORIGIN = "https://this-site.invalid";
const MAX_LENGTH = 2000;
