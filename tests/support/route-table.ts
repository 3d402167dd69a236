import type { RouteConfigEntry } from "@react-router/dev/routes";

import routes from "#app/routes.ts";

/** A line of the route table: `path` as it stands there ("/u/:id"), `file` below app/. */
export type TableRoute = { path: string; file: string };

/** Every address of the table that answers something; layouts have none. */
export function listRoutes(entries: readonly RouteConfigEntry[] = routes, above = ""): TableRoute[] {
  return entries.flatMap(({ path, index, file, children }) => {
    const here = path === undefined ? above : `${above}/${path}`;
    const own = path !== undefined || index ? [{ path: here || "/", file }] : [];
    return [...own, ...listRoutes(children ?? [], here)];
  });
}

/** An address with something in place of each parameter: the sample's where it is public, `card` where it is one's own. */
export function fillIn({ path }: TableRoute, { card = "none" } = {}): string {
  return path
    .replace("/u/:id", "/u/demo-user")
    .replace("/card/:id", path.startsWith("/share/") ? `/card/${card}` : "/card/demo-card")
    .replace("/cards/:id", `/cards/${card}`)
    .replace("/:id?", `/${card}`)
    .replace("/avatar/:file", "/avatar/ada.svg")
    .replace("/icons/:name", "/icons/192.png")
    .replace(/\/(:\w+\??|\*)/g, "/nothing");
}
