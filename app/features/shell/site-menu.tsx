import type { Theme } from "#app/services/theme-cookie.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";

import { Brand } from "./site-brand.tsx";
import { isCurrent, memberLinks, siteLinks } from "./site-links.ts";
import type { SiteViewer } from "./site-links.ts";
import { ThemeChoice } from "./theme-choice.tsx";

const menuId = "site-menu";

/** On a phone the links wait in a panel at the side: a popover, which opens, closes on Esc and gives the focus back without script. */
export function SiteMenuButton() {
  return (
    <button type="button" popoverTarget={menuId} aria-label="Menu" className={menuButton}>
      <Strokes path="M4 8h16M4 16h16" />
    </button>
  );
}

export function SiteMenu({ viewer, pathname, theme, onChoose }: SiteMenuProps) {
  const links = viewer ? [...siteLinks, ...memberLinks(viewer)] : siteLinks;
  return (
    <div id={menuId} popover="auto" className="ui-drawer md:hidden">
      <div className="mb-2 flex min-h-13 items-center">
        <Brand />
        <button
          type="button"
          popoverTarget={menuId}
          popoverTargetAction="hide"
          aria-label="Close menu"
          className={menuButton}
        >
          <Strokes path="M6 6l12 12M18 6 6 18" />
        </button>
      </div>
      <nav aria-label="Menu" className="grid">
        {links.map(({ href, label }) => (
          <a key={href} href={href} aria-current={isCurrent(href, pathname) ? "page" : undefined} className={menuLink}>
            {label}
          </a>
        ))}
      </nav>
      {viewer ? (
        <form method="post" action="/auth/sign-out" className="mt-6 grid">
          <Button type="submit">Sign Out</Button>
        </form>
      ) : (
        <div className="mt-6 grid gap-2.5">
          <ButtonLink variant="main" href="/auth">
            Get Started
          </ButtonLink>
          <ButtonLink href="/auth">Sign In</ButtonLink>
        </div>
      )}
      <p className="eyebrow mt-8 mb-2.5" aria-hidden="true">
        Theme
      </p>
      <ThemeChoice theme={theme} onChoose={onChoose} />
    </div>
  );
}

type SiteMenuProps = {
  viewer: SiteViewer | undefined;
  pathname: string;
  theme: Theme;
  onChoose: (theme: Theme) => void;
};

function Strokes({ path }: { path: string }) {
  return (
    <svg
      width="24"
      height="24"
      viewBox="0 0 24 24"
      stroke="currentColor"
      strokeWidth="1.7"
      strokeLinecap="round"
      aria-hidden="true"
    >
      <path d={path} />
    </svg>
  );
}

const menuButton = "ms-auto -me-2.5 grid size-11 place-items-center rounded-control text-text md:hidden";
const menuLink =
  "heading flex min-h-13 items-center border-b border-line text-lg no-underline aria-[current]:border-text";
