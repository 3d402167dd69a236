import { Outlet } from "react-router";

import type { DocumentHandle } from "#app/document.ts";

export const handle: DocumentHandle = { document: "public" };

/** Forms with a token of their own, and what signed links show: not to be stored, and not listed by search engines. */
export const headers = () => ({ "cache-control": "no-store", "x-robots-tag": "noindex" });

/** Pages for visitors who share their details, and behind links in mails: the look of public pages, without their script. */
export default function ConnectLayout() {
  return <Outlet />;
}
