import { isRouteErrorResponse, useRouteLoaderData } from "react-router";

import type { Route } from "./+types/not-found-page.ts";
import { ErrorView } from "#app/features/shell/frame/result-card.tsx";
import { errorMessage } from "#app/features/shell/messages.ts";
import { homePath } from "#app/features/shell/site-links.ts";
import type { SiteViewer } from "#app/features/shell/site-links.ts";
import { throwNotFound } from "#app/features/shell/shell.server.ts";

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

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const root = useRouteLoaderData<{ requestId?: string }>("root");
  const layout = useRouteLoaderData<{ viewer?: SiteViewer }>("features/shell/not-found/not-found-layout");
  const status = isRouteErrorResponse(error) ? error.status : 500;
  const { title, text } = errorMessage(status, root?.requestId);
  return (
    <ErrorView
      {...{ status, title, text }}
      action={{ href: "/", label: "Go to the home page" }}
      secondAction={layout?.viewer && { href: homePath, label: "Your cards" }}
    />
  );
}
