import {
  Links,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  data,
  useMatches,
  useRouteError,
  useRouteLoaderData,
} from "react-router";

import { throwNotFound } from "#app/features/shell/shell.server.ts";
import { ThemeMeta } from "#app/features/shell/theme/theme.tsx";
import { requestContext, requestId, services, takeToast, requestTheme, viewer } from "#app/services/http/context.ts";
import { toastStylesheet } from "#app/features/shell/document-links.ts";
import { LinkedPublicPageStyle, PublicPageStyle } from "#app/features/sharing/public-page/public-page-style.tsx";
import { Toast } from "#app/ui/components/toast.tsx";

import type { Route } from "./+types/root.ts";
import { documentKind, documentScript, hydrationOf } from "./document.ts";

export { ErrorPage as ErrorBoundary } from "#app/features/shell/message-view.tsx";

export const middleware: Route.MiddlewareFunction[] = [
  ({ context }, next) => {
    if (context.get(requestContext).isUnavailable) throw data(null, { status: 503 });
    return next();
  },
  // No id contains a NUL, and PostgreSQL rejects text with one.
  ({ context, params, url }, next) => {
    if (Object.values(params).some((value) => value?.includes("\u0000"))) throwNotFound(context, url);
    return next();
  },
];

export function loader({ context }: Route.LoaderArgs) {
  const user = viewer(context);
  return {
    viewer: user && { id: user.id },
    requestId: requestId(context),
    baseUrl: services(context).config.baseUrl,
    premium: services(context).config.premium,
    signUp: services(context).config.signUp,
    toast: takeToast(context),
    theme: requestTheme(context),
    year: new Date(services(context).clock()).getUTCFullYear(),
  };
}

/** The document of every page. What it loads depends on its kind (document.ts). */
export function Layout({ children }: { children: React.ReactNode }) {
  const matches = useMatches();
  const error = useRouteError();
  const shown = error ? [] : matches;
  const facts = useRouteLoaderData<typeof loader>("root");
  const hydration = hydrationOf(shown);
  const hasScripts = hydration !== "none";
  const isPublic = documentKind(shown) === "public";
  const script = documentScript(shown);
  const toast = facts?.toast;
  const needsToastStyle = toast && (hydration === "idle" || (isPublic && !hasScripts));
  return (
    // A public page has its owner's theme, not the visitor's. When it is hydrated, the visitor's theme applies to its dialogs.
    <html lang="en" data-mode={isPublic && !hasScripts ? undefined : (facts?.theme ?? "dark")} suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        {/* Half a page would shift when the rest arrives, so nothing is painted before its end has loaded (HTML, link type "expect"). */}
        <link rel="expect" href="#end" blocking="render" />
        {!isPublic && <ThemeMeta theme={facts?.theme ?? "dark"} />}
        <Meta />
        {/* An error page from the server has no scripts, so in a browser it replaced another page. */}
        {isPublic && (error && !import.meta.env.SSR ? <LinkedPublicPageStyle /> : <PublicPageStyle />)}
        {/* Styles and fonts are allowed by origin: a nonce would make each response different, and React would warn. */}
        {(hasScripts || !isPublic) && <Links nonce="" />}
        {needsToastStyle && <link {...toastStylesheet} />}
      </head>
      <body>
        {children}
        <span id="end" hidden />
        {(hasScripts || !isPublic || toast) && <Toast message={toast} />}
        {hydration === "now" && <ScrollRestoration />}
        {hasScripts && <Scripts />}
        {script && <script type="module" dangerouslySetInnerHTML={{ __html: script }} />}
      </body>
    </html>
  );
}

export default function Root() {
  return <Outlet />;
}
