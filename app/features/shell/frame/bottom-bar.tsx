import { useLocation } from "react-router";

import { appLinks, isCurrent } from "#app/features/shell/site-links.ts";
import type { SiteViewer } from "#app/features/shell/site-links.ts";
import { Icon } from "#app/ui/components/icon.tsx";

import { LinkBadge } from "./site-header.tsx";

/** On phones: the main pages of a signed-in user, always at the lower edge of the screen. A bar that saves a form covers it. */
export function BottomBar({ viewer }: { viewer: SiteViewer }) {
  const { pathname } = useLocation();
  return (
    <nav aria-label="Main" className="ui-bottom-bar md:hidden print:hidden">
      {appLinks(viewer).map(({ href, label, icon, badge }) => (
        <a
          key={href}
          href={href}
          aria-current={isCurrent(href, pathname) ? "page" : undefined}
          className={barLinkClass}
        >
          <span className="relative">
            <Icon name={icon} size={24} />
            {badge && (
              <span className="absolute -end-3 -top-1.5">
                <LinkBadge {...badge} />
              </span>
            )}
          </span>
          {label}
        </a>
      ))}
    </nav>
  );
}

const barLinkClass =
  "grid min-h-14 justify-items-center content-center gap-0.5 text-xs text-muted no-underline aria-[current]:font-semibold aria-[current]:text-text";
