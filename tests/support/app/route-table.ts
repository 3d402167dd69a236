import type { RouteConfigEntry } from "@react-router/dev/routes";

import routes from "#app/routes.ts";

/** A route: `path` as in the table ("/u/:id"), `file` relative to app/. */
export type TableRoute = { path: string; file: string };

/** All routes with a path; layouts have none. */
export function listRoutes(entries: readonly RouteConfigEntry[] = routes, above = ""): TableRoute[] {
  return entries.flatMap(({ path, index, file, children }) => {
    const here = path === undefined ? above : `${above}/${path}`;
    const own = path !== undefined || index ? [{ path: here || "/", file }] : [];
    return [...own, ...listRoutes(children ?? [], here)];
  });
}

export function listPageRoutes(): TableRoute[] {
  return listRoutes().filter(({ file }) => file.endsWith("-page.tsx"));
}

/** Whether the address is one of the route's: "/u/ada/resume" of "/u/:id/resume". */
export function matchesRoute({ path }: TableRoute, address: string): boolean {
  const parts = path.split("/").slice(1);
  const pattern = parts.map((part) =>
    part === "*" ? "/.+" : part.startsWith(":") ? (part.endsWith("?") ? "(?:/[^/]+)?" : "/[^/]+") : `/${part}`,
  );
  return new RegExp(`^${pattern.join("")}$`).test(address);
}

/** A path with its parameters filled in: the sample's ids on public pages, `card` on the owner's, the short address `code`, otherwise "none". */
export function fillParameters({ path }: TableRoute, { card = "none", code = "none" } = {}): string {
  return path
    .replace(/^\/u\/:(?:id|owner)/, "/u/demo-user")
    .replace(/^\/card\/:id/, "/card/demo-card")
    .replace(/^\/c\/:code/, `/c/${code}`)
    .replace(/^(\/cards|\/cards\/edit|\/share\/card)\/:id\??/, `$1/${card}`)
    .replace("/google-wallet/:file", "/google-wallet/hero.jpg")
    .replace("/account/invoices/:id/:file?", "/account/invoices/in_none")
    .replace("/auth/with/:provider", "/auth/with/google")
    .replace("/account/connections/:provider", "/account/connections/github")
    .replace("/avatar/:file", "/avatar/ada.svg")
    .replace("/pass-images/:file", "/pass-images/washi.jpg")
    .replace("/icons/:name", "/icons/192.png")
    .replaceAll(/:\w+\??|\*$/g, "none");
}
