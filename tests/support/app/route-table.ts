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

/** A path with its parameters filled in: the sample's ids on public pages, `card` on the owner's. */
export function fillParameters({ path }: TableRoute, { card = "none" } = {}): string {
  return path
    .replace("/u/:id", "/u/demo-user")
    .replace("/card/:id", path.startsWith("/share/") ? `/card/${card}` : "/card/demo-card")
    .replace("/cards/:id", `/cards/${card}`)
    .replace("/:id?", `/${card}`)
    .replace("/avatar/:file", "/avatar/ada.svg")
    .replace("/icons/:name", "/icons/192.png")
    .replace(/\/(:\w+\??|\*)/g, "/nothing");
}
