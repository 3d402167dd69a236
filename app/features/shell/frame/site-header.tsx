import { useLocation } from "react-router";

import { BrandLink } from "#app/features/shell/brand.tsx";
import {
  accountLinks,
  isCurrent,
  pageWidthClass,
  signUpPath,
  listSiteLinks,
  unreadBadge,
} from "#app/features/shell/site-links.ts";
import { usePremiumAccess } from "#app/features/shell/site-facts.ts";
import type { SiteLink, SiteViewer } from "#app/features/shell/site-links.ts";
import { ThemeChoice, ThemeMenu } from "#app/features/shell/theme/theme-choice.tsx";
import { useTheme } from "#app/features/shell/theme/theme.tsx";
import type { Theme } from "#app/services/http/cookies.ts";
import { Button, ButtonLink } from "#app/ui/components/button.tsx";

/** All links are plain, because most lead to documents of another kind (document.ts). */
export function SiteHeader({ viewer }: { viewer: SiteViewer | undefined }) {
  const { pathname } = useLocation();
  const [theme, setTheme] = useTheme();
  const siteLinks = listSiteLinks(usePremiumAccess());
  return (
    <header className="print:hidden">
      <div className={`flex items-center ${pageWidthClass} min-h-19`}>
        <BrandLink />
        {/* Between 768 and 1024 pixels there is room for one of the two; the footer has these as well. */}
        <nav aria-label="Site" className={`ms-5 hidden items-center lg:gap-1 ${viewer ? "lg:flex" : "md:flex"}`}>
          {siteLinks.map((link) => (
            <HeaderLink key={link.href} {...link} pathname={pathname} />
          ))}
        </nav>
        <div className={`ms-auto hidden items-center md:flex lg:gap-1 ${viewer ? "-me-3" : ""}`}>
          <ThemeMenu theme={theme} onChoose={setTheme} />
          <nav aria-label="Account" className="flex items-center lg:gap-1">
            {viewer ? <AccountLinks viewer={viewer} pathname={pathname} /> : <VisitorLinks pathname={pathname} />}
          </nav>
        </div>
        <SiteMenuButton unread={viewer?.unreadLeads} />
      </div>
      <SiteMenu viewer={viewer} pathname={pathname} theme={theme} onChoose={setTheme} />
    </header>
  );
}

type PathnameProps = { pathname: string };

function HeaderLink({ href, label, badge, pathname }: SiteLink & PathnameProps) {
  return (
    <a href={href} aria-current={isCurrent(href, pathname) ? "page" : undefined} className={headerLinkClass}>
      {label}
      {badge && <LinkBadge {...badge} />}
    </a>
  );
}

function LinkBadge({ text, spoken }: { text: string; spoken: string }) {
  return (
    <span className="ms-1.5 rounded-full bg-main px-1.75 text-xs leading-5 font-semibold text-on-main">
      <span aria-hidden="true">{text}</span>
      <span className="sr-only">{spoken}</span>
    </span>
  );
}

function VisitorLinks({ pathname }: PathnameProps) {
  return (
    <>
      <HeaderLink href="/auth" label="Sign In" pathname={pathname} />
      <ButtonLink variant="main" href={signUpPath} className="ms-2">
        Get Started
      </ButtonLink>
    </>
  );
}

function AccountLinks({ viewer, pathname }: { viewer: SiteViewer } & PathnameProps) {
  return (
    <>
      {accountLinks(viewer).map((link) => (
        <HeaderLink key={link.href} {...link} pathname={pathname} />
      ))}
      <form method="post" action="/auth/sign-out">
        <button className={headerLinkClass}>Sign Out</button>
      </form>
    </>
  );
}

const headerLinkClass =
  "inline-flex min-h-11 items-center rounded-control px-3 text-base whitespace-nowrap text-muted no-underline hover:text-text aria-[current]:text-text";

const menuId = "site-menu";

/** Opens the links on a phone: a popover at the side, which works without JavaScript, closes on Esc and returns the focus. */
export function SiteMenuButton({ unread = 0 }: { unread?: number | undefined }) {
  const badge = unread > 0 ? unreadBadge(unread) : undefined;
  return (
    <button
      type="button"
      popoverTarget={menuId}
      aria-label={badge ? `Menu, leads: ${badge.spoken}` : "Menu"}
      className={`relative ${menuButtonClass}`}
    >
      <StrokeIcon path="M4 8h16M4 16h16" />
      {badge && (
        <span
          aria-hidden="true"
          className="absolute -end-0.5 top-0 rounded-full bg-main px-1.25 text-[0.6875rem] leading-4.5 font-semibold text-on-main"
        >
          {badge.text}
        </span>
      )}
    </button>
  );
}

export function SiteMenu({ viewer, pathname, theme, onChoose }: SiteMenuProps) {
  const siteLinks = listSiteLinks(usePremiumAccess());
  const links = viewer ? [...siteLinks, ...accountLinks(viewer)] : siteLinks;
  return (
    <div id={menuId} popover="auto" className="ui-drawer md:hidden">
      <div className="mb-2 flex min-h-13 items-center">
        <BrandLink />
        <button
          type="button"
          popoverTarget={menuId}
          popoverTargetAction="hide"
          aria-label="Close menu"
          className={menuButtonClass}
        >
          <StrokeIcon path="M6 6l12 12M18 6 6 18" />
        </button>
      </div>
      <nav aria-label="Menu" className="grid">
        {links.map(({ href, label, badge }) => (
          <a
            key={href}
            href={href}
            aria-current={isCurrent(href, pathname) ? "page" : undefined}
            className={menuLinkClass}
            onClick={closeMenu}
          >
            {label}
            {badge && <LinkBadge {...badge} />}
          </a>
        ))}
      </nav>
      {viewer ? (
        <form method="post" action="/auth/sign-out" className="mt-6 grid">
          <Button type="submit">Sign Out</Button>
        </form>
      ) : (
        <div className="mt-6 grid gap-2.5">
          <ButtonLink variant="main" href={signUpPath}>
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

/** For a link to a part of the same page, which loads nothing. */
function closeMenu() {
  document.getElementById(menuId)?.hidePopover?.();
}

type SiteMenuProps = {
  viewer: SiteViewer | undefined;
  pathname: string;
  theme: Theme;
  onChoose: (theme: Theme) => void;
};

function StrokeIcon({ path }: { path: string }) {
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

const menuButtonClass = "ms-auto -me-2.5 grid size-11 place-items-center rounded-control text-text md:hidden";
const menuLinkClass =
  "heading flex min-h-13 items-center border-b border-line text-lg no-underline aria-[current]:border-text";
