import { isRouteErrorResponse, useRouteLoaderData } from "react-router";

import { pageWidthClass } from "#app/features/shell/site-links.ts";
import { ButtonLink } from "#app/ui/components/button.tsx";

import type { Route } from "./+types/not-found-page.ts";
import { errorMessage } from "#app/features/shell/messages.ts";
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
  const status = isRouteErrorResponse(error) ? error.status : 500;
  const { title, text } = errorMessage(status, root?.requestId);
  return (
    <div className={`${pageWidthClass} grid content-center justify-items-start gap-5 pt-16 sm:pt-28`}>
      <title>{`${title} | Meishi`}</title>
      <meta name="robots" content="noindex" />
      <p className="eyebrow">{status}</p>
      <h1 className="heading text-[clamp(1.875rem,7vw,3.5rem)] leading-[1.12] tracking-[-0.02em]">{title}</h1>
      <p className="max-w-[32rem] text-muted">{text}</p>
      <ButtonLink variant="main" href="/" className="mt-3">
        Go to the home page
      </ButtonLink>
    </div>
  );
}
