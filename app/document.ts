/**
 * What kind of document a route is shown in, said by its layout as `handle`:
 * - `public`: a visitor's page. One inline stylesheet, no script, one request; hydrated for signed-in people alone.
 * - `site`: the pages around it. Complete without script; hydrated once they are painted and the browser has nothing else to do.
 * - `plain`: forms of accounts. The linked stylesheet, no script at all.
 * - `app`: the signed-in product. Hydrated at once.
 */
export type DocumentKind = "public" | "site" | "plain" | "app";
export type DocumentHandle = { document: DocumentKind };

/** When a document's scripts run: at once, when the browser is idle, or never (it has none). */
export type Hydration = "now" | "idle" | "none";

/** The kind that the innermost layout asks for; what no layout claims is a plain public page. */
export function documentKind(handles: readonly unknown[]): DocumentKind {
  return handles.findLast(isDocumentHandle)?.document ?? "public";
}

export function hydrationOf(handles: readonly unknown[], viewer: unknown): Hydration {
  const kind = documentKind(handles);
  if (kind === "site") return "idle";
  return kind === "app" || (kind === "public" && Boolean(viewer)) ? "now" : "none";
}

function isDocumentHandle(handle: unknown): handle is DocumentHandle {
  return typeof handle === "object" && handle !== null && "document" in handle;
}
