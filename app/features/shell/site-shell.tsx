import type { ReactNode } from "react";

import { SiteFooter } from "./site-footer.tsx";
import { SiteHeader } from "./site-header.tsx";
import type { SiteViewer } from "./site-links.ts";
import type { SocialLink } from "./social-links.ts";

/** Header, the page in its `<main>`, footer. `after` comes last, below the footer. */
export function SiteShell({ viewer, social, after, children }: SiteShellProps) {
  return (
    <>
      <div className="flex min-h-dvh flex-col">
        <a href="#content" className={skipLink}>
          Skip to content
        </a>
        <SiteHeader viewer={viewer} />
        <main id="content" tabIndex={-1} className="flex-1 outline-none">
          {children}
        </main>
        <SiteFooter social={social} />
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

const skipLink =
  "sr-only rounded-control bg-main font-semibold text-on-main focus:not-sr-only focus:fixed focus:top-3 focus:start-3 focus:z-50 focus:px-4 focus:py-3";
