import { Outlet } from "react-router";

import type { DocumentHandle } from "#app/document.ts";

import { appLinks } from "#app/ui/app-links.ts";

import { visitorScript } from "./visitor-script.ts";

export const handle: DocumentHandle = { document: "public" };

/** For signed-in people, who get the dialogs of the app on the page; visitors load nothing. */
export const links = () => appLinks;

/** A visitor's pages, and whatever has no page. The script comes last and is deferred: everything is readable before it. */
export default function PublicLayout() {
  return (
    <>
      <Outlet />
      <script type="module" suppressHydrationWarning dangerouslySetInnerHTML={{ __html: visitorScript }} />
    </>
  );
}
