import type { ReactNode } from "react";

import type { SocialLink } from "#app/features/shell/shell.server.ts";
import type { SiteViewer } from "#app/features/shell/site-links.ts";

import { CallToActionBanner } from "./call-to-action-banner.tsx";
import type { BannerFacts } from "./call-to-action-banner.tsx";
import { StaleNotice } from "./page-status.tsx";
import { useScrollbar } from "./scrollbar.ts";
import { SiteFooter } from "./site-footer.tsx";
import { SiteHeader } from "./site-header.tsx";

/** Header, page and footer. `after` comes below the footer. */
export function SiteShell({ viewer, social, after, children }: SiteShellProps) {
  return (
    <>
      <div className="flex min-h-dvh flex-col">
        <a href="#content" className={skipLinkClass}>
          Skip to content
        </a>
        <SiteHeader viewer={viewer} />
        <main id="content" tabIndex={-1} className="flex-1 outline-none">
          {children}
        </main>
        <SiteFooter social={social} isSignedIn={viewer !== undefined} />
      </div>
      {after}
    </>
  );
}

type SiteShellProps = {
  viewer: SiteViewer | undefined;
  social: readonly SocialLink[];
  after?: ReactNode;
  children: ReactNode;
};

const skipLinkClass =
  "sr-only rounded-control bg-main font-semibold text-on-main focus:not-sr-only focus:fixed focus:top-3 focus:start-3 focus:z-50 focus:px-4 focus:py-3";

type HydratedSiteShellProps = Pick<SiteShellProps, "viewer" | "social" | "children"> & BannerFacts;

/** The shell of the pages that are hydrated: with the call to action, the notice of a stale page and the scrollbar. */
export function HydratedSiteShell({ viewer, social, children, ...facts }: HydratedSiteShellProps) {
  useScrollbar();
  return (
    <SiteShell
      viewer={viewer}
      social={social}
      after={<CallToActionBanner isSignedIn={viewer !== undefined} {...facts} />}
    >
      <StaleNotice />
      {children}
    </SiteShell>
  );
}
