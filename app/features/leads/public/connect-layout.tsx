import { Outlet } from "react-router";

import type { DocumentHandle } from "#app/document.ts";

export const handle: DocumentHandle = { document: "public" };

/** Pages for visitors who share their details: the look of public pages, without their script. */
export default function ConnectLayout() {
  return <Outlet />;
}
