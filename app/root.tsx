import {
  Links,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  useMatches,
  useRouteError,
  useRouteLoaderData,
} from "react-router";

import { refusePath } from "#app/features/shell/no-such-page.server.ts";
import { ThemeMeta } from "#app/features/shell/theme-meta.tsx";
import { requestId, services, takeToast, themeOf, viewer } from "#app/services/context.ts";
import { toastLink } from "#app/ui/app-links.ts";
import { PublicStyle } from "#app/ui/public-style.tsx";
import { Toast } from "#app/ui/toast.tsx";

import type { Route } from "./+types/root.ts";
import { documentKind, hydrationOf } from "./document.ts";

export { ErrorPage as ErrorBoundary } from "#app/features/shell/error-view.tsx";

/** An id that holds a NUL is nobody's; PostgreSQL would not even look for it. */
export const middleware: Route.MiddlewareFunction[] = [
  ({ context, params, url }, next) => {
    if (Object.values(params).some((value) => value?.includes("\u0000"))) refusePath(context, url);
    return next();
  },
];

export function loader({ context }: Route.LoaderArgs) {
  const person = viewer(context);
  return {
    viewer: person && { id: person.id },
    requestId: requestId(context),
    baseUrl: services(context).config.baseUrl,
    toast: takeToast(context),
    theme: themeOf(context),
    year: new Date(services(context).clock()).getUTCFullYear(),
  };
}

/** One document for every page: what it loads depends on its kind (see document.ts). */
export function Layout({ children }: { children: React.ReactNode }) {
  // Whatever broke, the page that says so is a plain public one.
  const matches = useMatches();
  const handles = useRouteError() ? [] : matches.map(({ handle }) => handle);
  const facts = useRouteLoaderData<typeof loader>("root");
  const hydration = hydrationOf(handles, facts?.viewer);
  const hasScripts = hydration !== "none";
  const isPublic = documentKind(handles) === "public";
  return (
    // What a visitor sees of a person is that person's choice, not the visitor's; the dialogs of a member stand over it in their own.
    <html lang="en" data-mode={isPublic && !hasScripts ? undefined : (facts?.theme ?? "dark")} suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        {/* Half a page would move when the other half comes: nothing is painted before its end is there (HTML, link type "expect"). */}
        <link rel="expect" href="#end" blocking="render" />
        {!isPublic && <ThemeMeta theme={facts?.theme ?? "dark"} />}
        <Meta />
        {isPublic && <PublicStyle />}
        {/* Styles and fonts are allowed by origin: a nonce would make each answer differ, and React warn. */}
        {(hasScripts || !isPublic) && <Links nonce="" />}
        {hydration === "idle" && facts?.toast && <link {...toastLink} />}
      </head>
      <body>
        {children}
        <span id="end" hidden />
        {(hasScripts || !isPublic) && <Toast message={facts?.toast} />}
        {hydration === "now" && <ScrollRestoration />}
        {hasScripts && <Scripts />}
      </body>
    </html>
  );
}

export default function Root() {
  return <Outlet />;
}
