/**
 * The kind of document of a route, which its layout exports as `handle`:
 * - `public`: a page for visitors. One inline stylesheet, no framework, one request; the public layout adds a small inline script. Hydrated for
 *   its owner only.
 * - `site`: a marketing or documentation page. Complete without JavaScript; hydrated once it is painted and the browser is idle.
 * - `plain`: a form of the sign-in pages, or the page for unknown addresses. A linked stylesheet and one small inline script, which the page
 *   works without.
 * - `app`: a page of the signed-in product. Hydrated at once.
 */
export type DocumentKind = "public" | "site" | "plain" | "app";
export type DocumentHandle = {
  document: DocumentKind;
  /** The inline script of a `plain` document, which may depend on what the loader returned. */
  script?: string | ((loaderData: unknown) => string);
};

/** When a document's scripts run: at once, when the browser is idle, or never. */
export type Hydration = "now" | "idle" | "none";

/** A route of the page; none for an error page, which is public whatever route failed. */
type DocumentMatch = { handle?: unknown; loaderData?: unknown };

/** The kind that the innermost layout names, by default `public`. */
export function documentKind(matches: readonly DocumentMatch[]): DocumentKind {
  return matches.map(({ handle }) => handle).findLast(isDocumentHandle)?.document ?? "public";
}

/** The inline script that the innermost layout names for its `plain` document. */
export function documentScript(matches: readonly DocumentMatch[]): string | undefined {
  const match = matches.findLast(({ handle }) => isDocumentHandle(handle));
  if (!isDocumentHandle(match?.handle) || match.handle.document !== "plain") return undefined;
  const { script } = match.handle;
  return typeof script === "function" ? script(match.loaderData) : script;
}

/** A public page is hydrated when its loader returns `isOwner: true`: a stranger gets the page of a visitor. */
export function hydrationOf(matches: readonly DocumentMatch[]): Hydration {
  const kind = documentKind(matches);
  if (kind === "site") return "idle";
  const isOwnPage = kind === "public" && matches.some(({ loaderData }) => isOwnersData(loaderData));
  return kind === "app" || isOwnPage ? "now" : "none";
}

function isOwnersData(loaderData: unknown): boolean {
  return (
    typeof loaderData === "object" && loaderData !== null && "isOwner" in loaderData && loaderData.isOwner === true
  );
}

function isDocumentHandle(handle: unknown): handle is DocumentHandle {
  return typeof handle === "object" && handle !== null && "document" in handle;
}
