import { useLocation } from "react-router";

import { BrandLink } from "#app/features/shell/brand.tsx";
import { accountLinks, appLinks, isCurrent, signUpPath, listSiteLinks } from "#app/features/shell/site-links.ts";
import { usePremiumAccess, useSignUpNote } from "#app/features/shell/site-facts.ts";
import type { SiteLink, SiteViewer } from "#app/features/shell/site-links.ts";
import { ThemeChoice, ThemeMenu } from "#app/features/shell/theme/theme-choice.tsx";
import { useTheme } from "#app/features/shell/theme/theme.tsx";
import { Button, ButtonLink } from "#app/ui/components/button.tsx";
import { Icon } from "#app/ui/components/icon.tsx";
import { pageWidthClass } from "#app/ui/components/page-width.ts";

/**
 * The links of the site for visitors, the sections of the app for a signed-in user. All are plain, because most lead to documents of another
 * kind (document.ts).
 */
export function SiteHeader({ viewer }: { viewer: SiteViewer | undefined }) {
  const { pathname } = useLocation();
  const [theme, setTheme] = useTheme();
  const siteLinks = listSiteLinks(usePremiumAccess());
  const isOpen = useSignUpNote() === undefined;
  return (
    <header className="print:hidden">
      <div className={`flex items-center ${pageWidthClass} min-h-16 md:min-h-19`}>
        <BrandLink isSignedIn={viewer !== undefined} />
        <nav aria-label={viewer ? "Main" : "Site"} className="ms-5 hidden items-center md:flex lg:gap-1">
          {(viewer ? appLinks(viewer) : siteLinks).map((link) => (
            <HeaderLink key={link.href} {...link} pathname={pathname} />
          ))}
        </nav>
        <div className="ms-auto -me-2.5 flex items-center lg:gap-1">
          {viewer ? (
            <a href="/my-qr" aria-label="My QR" title="My QR" className={iconLinkClass}>
              <Icon name="qr" size={24} />
            </a>
          ) : (
            <div className="me-2.5 hidden items-center md:flex">
              <ThemeMenu theme={theme} onChoose={setTheme} />
              <nav aria-label="Account" className="flex items-center">
                <HeaderLink href="/auth" label="Sign In" pathname={pathname} />
                {isOpen && (
                  <ButtonLink variant="main" href={signUpPath} className="ms-2">
                    Get Started
                  </ButtonLink>
                )}
              </nav>
            </div>
          )}
          <button
            type="button"
            popoverTarget={menuId}
            aria-label="Menu"
            className={`${iconLinkClass} ${hiddenAt(viewer)}`}
          >
            <Icon name={viewer ? "user" : "menu"} size={24} />
          </button>
        </div>
      </div>
      <div id={menuId} popover="auto" className={`ui-drawer ${hiddenAt(viewer)}`}>
        <SiteMenu viewer={viewer} pathname={pathname} links={viewer ? accountLinks(viewer) : siteLinks} />
        <p className="eyebrow mt-8 mb-2.5" aria-hidden="true">
          Theme
        </p>
        <ThemeChoice theme={theme} onChoose={setTheme} />
      </div>
    </header>
  );
}

/** A visitor's links are all in a wide header. */
const hiddenAt = (viewer: SiteViewer | undefined) => (viewer ? "" : "md:hidden");

type PathnameProps = { pathname: string };

function HeaderLink({ href, label, badge, pathname }: SiteLink & PathnameProps) {
  return (
    <a href={href} aria-current={isCurrent(href, pathname) ? "page" : undefined} className={headerLinkClass}>
      {label}
      {badge && <LinkBadge {...badge} />}
    </a>
  );
}

export function LinkBadge({ text, spoken }: { text: string; spoken: string }) {
  return (
    <span className="ms-1.5 rounded-full bg-main px-1.75 text-xs leading-5 font-semibold text-on-main">
      <span aria-hidden="true">{text}</span>
      <span className="sr-only">{spoken}</span>
    </span>
  );
}

const headerLinkClass =
  "inline-flex min-h-11 items-center rounded-control px-3 text-base whitespace-nowrap text-muted no-underline hover:text-text aria-[current]:text-text";

const menuId = "site-menu";

/** The content of a popover at the side, which works without JavaScript, closes on Esc and returns the focus. */
function SiteMenu({ viewer, pathname, links }: SiteMenuProps) {
  const isOpen = useSignUpNote() === undefined;
  return (
    <>
      <div className="mb-2 flex min-h-13 items-center justify-between">
        <BrandLink isSignedIn={viewer !== undefined} />
        <button
          type="button"
          popoverTarget={menuId}
          popoverTargetAction="hide"
          aria-label="Close menu"
          className={`-me-2.5 ${iconLinkClass}`}
        >
          <Icon name="close" size={24} />
        </button>
      </div>
      <nav aria-label="Menu" className="grid">
        {links.map(({ href, label }) => (
          <a
            key={href}
            href={href}
            aria-current={isCurrent(href, pathname) ? "page" : undefined}
            className={menuLinkClass}
            onClick={closeMenu}
          >
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
          {isOpen && (
            <ButtonLink variant="main" href={signUpPath}>
              Get Started
            </ButtonLink>
          )}
          <ButtonLink href="/auth">Sign In</ButtonLink>
        </div>
      )}
    </>
  );
}

type SiteMenuProps = PathnameProps & { viewer: SiteViewer | undefined; links: readonly SiteLink[] };

/** For a link to a part of the same page, which loads nothing. */
function closeMenu() {
  document.getElementById(menuId)?.hidePopover?.();
}

const iconLinkClass = "grid size-11 place-items-center rounded-control text-muted no-underline hover:text-text";
const menuLinkClass =
  "heading flex min-h-13 items-center border-b border-line text-lg no-underline aria-[current]:border-text";
