import { Outlet, useMatches } from "react-router";

import type { DocumentHandle } from "#app/document.ts";

import { appDocumentLinks } from "#app/features/shell/document-links.ts";

import { passVisitorScript, visitorScript } from "./visitor-script.ts";

export const handle: DocumentHandle = { document: "public" };

/** For owners, whose pages are hydrated with the app's dialogs; everyone else loads no stylesheet. */
export const links = () => appDocumentLinks;

/** Public pages. The script comes last and is deferred, so that the page is readable before it runs. */
export default function PublicLayout() {
  const hasPass = useMatches().some(({ loaderData }) => offersPass(loaderData));
  const script = hasPass ? passVisitorScript : visitorScript;
  return (
    <>
      <Outlet />
      <script type="module" suppressHydrationWarning dangerouslySetInnerHTML={{ __html: script }} />
    </>
  );
}

function offersPass(loaderData: unknown): boolean {
  return (
    typeof loaderData === "object" && loaderData !== null && "hasPass" in loaderData && loaderData.hasPass === true
  );
}
