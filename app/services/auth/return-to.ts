/** Where the first sign-in leads. */
export const firstPath = "/start";

/** Where signing in leads without a path to return to. */
export const signedInPath = "/home";

/** Where connecting an account leads without a path to return to. */
export const connectedPath = "/profile";

/**
 * The path to open after signing in, from the query parameters `returnTo` or `redirect`. Only a path on this site counts: a link to our login
 * page must not lead to a copy of it elsewhere. The sign-in pages don't count, because a signed-in user is redirected from them.
 */
export function readReturnTo(search: URLSearchParams): string | undefined {
  for (const name of ["returnTo", "redirect"]) {
    const path = localPath(search.get(name) ?? "");
    if (path && !isAccountPage(path)) return path;
  }
  return undefined;
}

/** The URL of the sign-in page that leads to `path` after signing in, or without one to `signedInPath`. */
export function authPath(path: string | undefined, query: Record<string, string> = {}): string {
  const search = new URLSearchParams(query);
  if (path !== undefined) search.set("returnTo", path);
  return search.size > 0 ? `/auth?${search}` : "/auth";
}

/** The URL of the page that asks for the second factor, and leads to `path` after it. */
export function verifyPath(path: string | undefined): string {
  return path === undefined ? "/auth/verify" : `/auth/verify?${new URLSearchParams({ returnTo: path })}`;
}

/** The URL of the page that confirms who the user is before a sensitive change, and leads back to `path`. */
export function identityPath(path: string): string {
  return `/account/verify?${new URLSearchParams({ returnTo: path })}`;
}

/** The URL that a button of a provider posts to. */
export function providerPath(provider: string, returnTo: string | undefined): string {
  const path = `/auth/with/${provider}`;
  return returnTo === undefined ? path : `${path}?${new URLSearchParams({ returnTo })}`;
}

/** The URL of the page for a forgotten password, which links back to the sign-in page with the path to return to. */
export function forgotPath(path: string | undefined): string {
  return path === undefined ? "/forgot-password" : `/forgot-password?${new URLSearchParams({ returnTo: path })}`;
}

/** Returns `typed` if every browser and proxy reads it as a path on this site, else undefined. */
export function localPath(typed: string): string | undefined {
  if (typed.length > maxPathLength || !isPlainPath(typed) || !URL.canParse(typed, placeholderOrigin)) return undefined;
  const { origin, pathname, search, hash } = new URL(typed, placeholderOrigin);
  // "/.//evil" becomes "//evil", and "/%2e/%2fevil" may become it in a proxy.
  if (origin !== placeholderOrigin || !isPlainPath(decodeFully(pathname) ?? "")) return undefined;
  return pathname + search + hash;
}

/** Exactly one slash at the start, and no backslash or control character: browsers read or drop those in different ways. */
function isPlainPath(text: string): boolean {
  return /^\/(?![/\\])/.test(text) && !/[\\\p{Cc}\p{Zl}\p{Zp}]/u.test(text);
}

/** Decodes repeatedly, as a chain of proxies might; undefined when it can't be decoded at all. */
function decodeFully(path: string): string | undefined {
  let text = decodeOnce(path);
  for (let depth = 0; depth < 5 && text !== undefined; depth++) {
    const deeper = decodeOnce(text);
    if (deeper === undefined) return text;
    text = deeper;
  }
  return text;
}

function decodeOnce(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function isAccountPage(address: string): boolean {
  const path = new URL(address, placeholderOrigin).pathname
    .toLowerCase()
    .replace(/\/+$/, "")
    .replace(/\.data$/, "");
  // Leads a browser that has signed in with a provider back to an app.
  if (path === "/auth/v1/callback") return false;
  return ["/auth", "/signup", "/forgot-password", "/reset-password", "/account/verify"].some(
    (page) => path === page || path.startsWith(`${page}/`),
  );
}

const placeholderOrigin = "https://this-site.invalid";
const maxPathLength = 2000;
