/**
 * The kind of document of a route, which its layout exports as `handle`:
 * - `public`: a page for visitors. One inline stylesheet, no framework, one request; the public layout adds a small inline script. Hydrated for
 *   signed-in users only.
 * - `site`: a marketing or documentation page. Complete without script; hydrated once it is painted and the browser is idle.
 * - `plain`: a form of the sign-in pages. A linked stylesheet and one small inline script, which the page works without.
 * - `app`: a page of the signed-in product. Hydrated at once.
 */
export type DocumentKind = "public" | "site" | "plain" | "app";
export type DocumentHandle = {
  document: DocumentKind;
  /** The inline script of a `plain` document. */
  script?: string;
};

/** When a document's scripts run: at once, when the browser is idle, or never. */
export type Hydration = "now" | "idle" | "none";

/** The kind that the innermost layout names, by default `public`. */
export function documentKind(handles: readonly unknown[]): DocumentKind {
  return handles.findLast(isDocumentHandle)?.document ?? "public";
}

/** The inline script that the innermost layout names for its `plain` document. */
export function documentScript(handles: readonly unknown[]): string | undefined {
  const handle = handles.findLast(isDocumentHandle);
  return handle?.document === "plain" ? handle.script : undefined;
}

export function hydrationOf(handles: readonly unknown[], viewer: unknown): Hydration {
  const kind = documentKind(handles);
  if (kind === "site") return "idle";
  return kind === "app" || (kind === "public" && Boolean(viewer)) ? "now" : "none";
}

function isDocumentHandle(handle: unknown): handle is DocumentHandle {
  return typeof handle === "object" && handle !== null && "document" in handle;
}
