import type { Route } from "./+types/not-found-page.ts";
import { refusePath } from "./no-such-page.server.ts";

/** Whatever no other route knows, read or written to: the page says so, and the log which address it was. */
export function loader({ context, url }: Route.LoaderArgs) {
  return refusePath(context, url);
}

export function action({ context, url }: Route.ActionArgs) {
  return refusePath(context, url);
}

/** Never shown; but a route without a view would answer without a page. */
export default function NotFoundPage() {
  return null;
}

export { ErrorPage as ErrorBoundary } from "./error-view.tsx";
