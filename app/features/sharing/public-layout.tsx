import { Outlet } from "react-router";

import type { DocumentHandle } from "#app/document.ts";

import { appDocumentLinks } from "#app/features/shell/document-links.ts";

import { visitorScript } from "./visitor-script.ts";

export const handle: DocumentHandle = { document: "public" };

/** For owners, whose pages are hydrated with the app's dialogs; everyone else loads no stylesheet. */
export const links = () => appDocumentLinks;

/** Public pages. The script comes last and is deferred, so that the page is readable before it runs. */
export default function PublicLayout() {
  return (
    <>
      <Outlet />
      <script type="module" suppressHydrationWarning dangerouslySetInnerHTML={{ __html: visitorScript }} />
    </>
  );
}
