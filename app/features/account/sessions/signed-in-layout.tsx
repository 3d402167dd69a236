import { useEffect, useState } from "react";
import { Outlet, redirect, useLocation } from "react-router";

import type { DocumentHandle } from "#app/document.ts";
import { BottomBar } from "#app/features/shell/frame/bottom-bar.tsx";
import { CallToActionBanner } from "#app/features/shell/frame/call-to-action-banner.tsx";
import { LoadingStatus, StaleNotice } from "#app/features/shell/frame/page-status.tsx";
import { useScrollbar } from "#app/features/shell/frame/scrollbar.ts";
import { countUnread } from "#app/features/leads/inbox/inbox-data.server.ts";
import { DeferredView } from "#app/features/live/deferred-view.tsx";
import { findProfileGaps } from "#app/features/profile/own-profile.server.ts";
import { loadShell } from "#app/features/shell/shell.server.ts";
import { SiteShell } from "#app/features/shell/frame/site-shell.tsx";
import { findUnfinishedPass } from "#app/features/wallet/updates/unfinished-data.server.ts";
import { requireUser, services, viewer } from "#app/services/http/context.ts";
import { appDocumentLinks } from "#app/features/shell/document-links.ts";

import type { Route } from "./+types/signed-in-layout.ts";
import { authPath } from "#app/services/auth/return-to.ts";
import { SessionStatus } from "./tabs/session-status.tsx";

export const handle: DocumentHandle = { document: "app" };

export const links = () => appDocumentLinks;

/** Personal pages: no browser or proxy may cache them. */
export const headers = () => ({ "cache-control": "no-store" });

/** Redirects visitors to the sign-in page, which leads back here. */
export const middleware: Route.MiddlewareFunction[] = [
  ({ context, url }, next) => {
    if (!viewer(context)) throw redirect(authPath(url.pathname + url.search));
    return next();
  },
];

/** Also makes client-side navigation request the server and pass the middleware. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const { id, email } = requireUser(context);
  const shell = await loadShell(context);
  return {
    ...shell,
    viewer: shell.viewer && { ...shell.viewer, unreadLeads: await countUnread(services(context).db, id) },
    account: { id, email },
    ...(hasBanner(url) && {
      gaps: await findProfileGaps(context),
      hasUnfinishedPass: await findUnfinishedPass(context),
    }),
  };
}

export default function SignedInLayout({ loaderData }: Route.ComponentProps) {
  // The service worker belongs to the browser, not to React.
  useEffect(registerServiceWorker, []);
  useScrollbar();
  const isBannerPage = hasBanner(useLocation());
  const { viewer: user, social, account, ...banner } = loaderData;
  // What is counted later belongs to this answer of the server: with the next one, that one's number is right.
  const [counted, setCounted] = useState<{ since: typeof user; unreadLeads: number }>();
  const onCount = (unreadLeads: number) => setCounted({ since: user, unreadLeads });
  const viewer = user && counted?.since === user ? { ...user, ...counted } : user;
  const after = (
    <>
      {isBannerPage && <CallToActionBanner isSignedIn {...banner} />}
      {viewer && <BottomBar viewer={viewer} />}
    </>
  );
  return (
    <SiteShell viewer={viewer} social={social} after={after}>
      <DeferredView load={loadUnreadStatus} props={{ onCount }} />
      <LoadingStatus />
      <StaleNotice />
      <SessionStatus {...account} />
      <Outlet />
    </SiteShell>
  );
}

const loadUnreadStatus = () =>
  import("#app/features/leads/inbox/live/unread-status.tsx").then((file) => file.UnreadStatus);

/** The editors have their own bar at the bottom. */
function hasBanner({ pathname }: { pathname: string }): boolean {
  return pathname === "/account";
}

/** Registers the service worker of the offline page when the browser is idle. Without workers or storage there is only no such page. */
function registerServiceWorker() {
  const schedule = globalThis.requestIdleCallback ?? setTimeout;
  schedule(() => void navigator.serviceWorker?.register("/sw.js").then(Boolean, Boolean));
}
