import { data } from "react-router";

import { services } from "#app/services/context.ts";

import type { Route } from "./+types/not-found-page.ts";

/** Whatever no other route knows, read or written to: the page says so, and the log which address it was. */
export function loader({ context, url }: Route.LoaderArgs) {
  return refuse(context, url);
}

export function action({ context, url }: Route.ActionArgs) {
  return refuse(context, url);
}

/** Never shown; but a route without a view would answer without a page. */
export default function NotFoundPage() {
  return null;
}

export { ErrorPage as ErrorBoundary } from "./error-view.tsx";

/** Enough to find out which link is wrong. */
const MAX_LOGGED = 300;

function refuse(context: Route.LoaderArgs["context"], { pathname }: URL): never {
  services(context).log.warn({ path: pathname.slice(0, MAX_LOGGED) }, "no such page");
  throw data(null, { status: 404 });
}
