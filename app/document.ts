/**
 * What kind of document a route is shown in, said by its layout as `handle`:
 * - `public`: a visitor's page. One inline stylesheet, no script, one request; hydrated for signed-in people alone.
 * - `site`: the pages around it. The linked stylesheet, no script needed.
 * - `app`: the signed-in product. Hydrated.
 */
export type DocumentKind = "public" | "site" | "app";
export type DocumentHandle = { document: DocumentKind };

/** The kind that the innermost layout asks for; what no layout claims is a plain public page. */
export function documentKind(handles: readonly unknown[]): DocumentKind {
  return handles.findLast(isDocumentHandle)?.document ?? "public";
}

export function isHydrated(handles: readonly unknown[], viewer: unknown): boolean {
  const kind = documentKind(handles);
  return kind === "app" || (kind === "public" && Boolean(viewer));
}

function isDocumentHandle(handle: unknown): handle is DocumentHandle {
  return typeof handle === "object" && handle !== null && "document" in handle;
}
