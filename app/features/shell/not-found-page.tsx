import type { Route } from "./+types/not-found-page.ts";
import { throwNotFound } from "./shell.server.ts";

/** Matches every URL without a route, and logs it. */
export function loader({ context, url }: Route.LoaderArgs) {
  return throwNotFound(context, url);
}

export function action({ context, url }: Route.ActionArgs) {
  return throwNotFound(context, url);
}

/** Never rendered, but a route without a component would respond without a document. */
export default function NotFoundPage() {
  return null;
}

export { ErrorPage as ErrorBoundary } from "./message-view.tsx";
