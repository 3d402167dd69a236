import { Button, ButtonLink } from "#app/ui/button.tsx";

import { isCurrent, siteLinks } from "./site-links.ts";
import type { SiteViewer } from "./site-links.ts";

const menuId = "site-menu";

/** On a phone the links wait in a panel at the side: a popover, which opens, closes on Esc and gives the focus back without script. */
export function SiteMenuButton() {
  return (
    <button type="button" popoverTarget={menuId} aria-label="Menu" className={menuButton}>
      <svg
        width="24"
        height="24"
        viewBox="0 0 24 24"
        stroke="currentColor"
        strokeWidth="1.7"
        strokeLinecap="round"
        aria-hidden="true"
      >
        <path d="M4 8h16M4 16h16" />
      </svg>
    </button>
  );
}

export function SiteMenu({ viewer, pathname }: { viewer: SiteViewer | undefined; pathname: string }) {
  const links = viewer ? [...siteLinks, { href: `/u/${viewer.id}`, label: "Profile" }] : siteLinks;
  return (
    <div id={menuId} popover="auto" className="ui-drawer md:hidden">
      <button
        type="button"
        popoverTarget={menuId}
        popoverTargetAction="hide"
        aria-label="Close menu"
        className={menuButton}
      >
        <svg
          width="24"
          height="24"
          viewBox="0 0 24 24"
          stroke="currentColor"
          strokeWidth="1.7"
          strokeLinecap="round"
          aria-hidden="true"
        >
          <path d="M6 6l12 12M18 6 6 18" />
        </svg>
      </button>
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
    </div>
  );
}

const menuButton = "ms-auto -me-2.5 grid size-11 place-items-center rounded-control text-text md:hidden";
const menuLink = "heading flex min-h-14 items-center border-b border-line text-lg no-underline";
