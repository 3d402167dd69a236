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

/**
 * A path with its parameters filled in: the sample's ids on public pages, `card` on the owner's, and the short address `code`. Throws for a parameter that it doesn't
 * know: tests would only see a page's 404.
 */
export function fillParameters({ path }: TableRoute, { card = "none", code = "none" } = {}): string {
  const filled = path
    .replace(/^\/u\/:(?:id|owner)/, "/u/demo-user")
    .replace("/c/:code", `/c/${code}`)
    .replace("/google-wallet/:file", "/google-wallet/hero.jpg")
    .replace("/card/:id", path.startsWith("/share/") ? `/card/${card}` : "/card/demo-card")
    .replace("/cards/:id", `/cards/${card}`)
    .replace("/admin/users/:id", "/admin/users/none")
    .replace("/leads/:id", "/leads/none")
    .replace("/account/invoices/:id/:file?", "/account/invoices/in_none")
    .replace("/:id?", `/${card}`)
    .replace("/auth/with/:provider", "/auth/with/google")
    .replace("/account/connections/:provider", "/account/connections/github")
    .replace("/avatar/:file", "/avatar/ada.svg")
    .replace("/pass-images/:file", "/pass-images/washi.jpg")
    .replace("/icons/:name", "/icons/192.png")
    .replace("/dev/mail/:name", "/dev/mail/nothing")
    .replace("/shared/:token", "/shared/nothing")
    .replace("/lead-mails/:token", "/lead-mails/nothing")
    .replace("/weekly-mail/:token", "/weekly-mail/nothing")
    .replace("/webhooks/:id", "/webhooks/none")
    .replace("/log/:delivery", "/log/none")
    .replace("/*", "/nothing");
  if (filled.includes("/:")) throw new Error(`Add the parameters of ${path} to tests/support/app/route-table.ts.`);
  return filled;
}
