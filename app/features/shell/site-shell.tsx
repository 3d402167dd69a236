import type { ReactNode } from "react";

import { SiteFooter } from "./site-footer.tsx";
import { SiteHeader } from "./site-header.tsx";
import type { SiteViewer } from "./site-links.ts";
import type { SocialLink } from "./social-links.ts";

/**
 * Header, the page in its `<main>`, footer. `width` is `page` where the header lines up with a page of text, else the whole window;
 * `after` comes last, below the footer.
 */
export function SiteShell({ viewer, social, width = "window", after, children }: SiteShellProps) {
  return (
    <>
      <div className="flex min-h-dvh flex-col">
        <a href="#content" className={skipLink}>
          Skip to content
        </a>
        <SiteHeader viewer={viewer} width={width} />
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
  width?: "page" | "window";
  after?: ReactNode;
  children: ReactNode;
};

const skipLink =
  "sr-only rounded-control bg-main font-semibold text-on-main focus:not-sr-only focus:fixed focus:top-3 focus:start-3 focus:z-50 focus:px-4 focus:py-3";
