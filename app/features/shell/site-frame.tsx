import type { ReactNode } from "react";

import { CallBanner } from "./call-banner.tsx";
import { useScrollbar } from "./scrollbar.ts";
import { SiteShell } from "./site-shell.tsx";
import type { SiteViewer } from "./site-links.ts";
import type { SocialLink } from "./social-links.ts";
import { StaleNotice } from "./stale-notice.tsx";

type SiteFrameProps = { viewer: SiteViewer | undefined; social: readonly SocialLink[]; children: ReactNode };

/** What stands around each page of the site, and comes to life with it. */
export function SiteFrame({ viewer, social, children }: SiteFrameProps) {
  useScrollbar();
  return (
    <SiteShell viewer={viewer} social={social} after={<CallBanner isMember={viewer !== undefined} />}>
      <StaleNotice />
      {children}
    </SiteShell>
  );
}
