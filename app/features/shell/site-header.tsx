import { useLocation } from "react-router";

import { ButtonLink } from "#app/ui/button.tsx";

import { Brand } from "./site-brand.tsx";
import { isCurrent, memberLinks, pageWidth, siteLinks } from "./site-links.ts";
import type { SiteViewer } from "./site-links.ts";
import { SiteMenu, SiteMenuButton } from "./site-menu.tsx";
import { ThemeMenu } from "./theme-choice.tsx";
import { useTheme } from "./use-theme.ts";

/** Plain links throughout: most of them lead to pages of another kind, which run no script. */
export function SiteHeader({ viewer }: { viewer: SiteViewer | undefined }) {
  const { pathname } = useLocation();
  const [theme, setTheme] = useTheme();
  return (
    <header className="print:hidden">
      <div className={`flex items-center ${pageWidth} min-h-19`}>
        <Brand />
        <nav aria-label="Site" className="ms-5 hidden items-center md:flex lg:gap-1">
          {siteLinks.map((link) => (
            <HeaderLink key={link.href} {...link} pathname={pathname} />
          ))}
        </nav>
        <div className={`ms-auto hidden items-center md:flex lg:gap-1 ${viewer ? "-me-3" : ""}`}>
          <ThemeMenu theme={theme} onChoose={setTheme} />
          <nav aria-label="Account" className="flex items-center lg:gap-1">
            {viewer ? <MemberLinks viewer={viewer} pathname={pathname} /> : <VisitorLinks pathname={pathname} />}
          </nav>
        </div>
        <SiteMenuButton />
      </div>
      <SiteMenu viewer={viewer} pathname={pathname} theme={theme} onChoose={setTheme} />
    </header>
  );
}

type At = { pathname: string };

function HeaderLink({ href, label, pathname }: { href: string; label: string } & At) {
  return (
    <a href={href} aria-current={isCurrent(href, pathname) ? "page" : undefined} className={headerLink}>
      {label}
    </a>
  );
}

function VisitorLinks({ pathname }: At) {
  return (
    <>
      <HeaderLink href="/auth" label="Sign In" pathname={pathname} />
      <ButtonLink variant="main" href="/auth" className="ms-2">
        Get Started
      </ButtonLink>
    </>
  );
}

function MemberLinks({ viewer, pathname }: { viewer: SiteViewer } & At) {
  return (
    <>
      {memberLinks(viewer).map((link) => (
        <HeaderLink key={link.href} {...link} pathname={pathname} />
      ))}
      <form method="post" action="/auth/sign-out">
        <button className={headerLink}>Sign Out</button>
      </form>
    </>
  );
}

const headerLink =
  "inline-flex min-h-11 items-center rounded-control px-3 text-base whitespace-nowrap text-muted no-underline hover:text-text aria-[current]:text-text";
