import { useLocation } from "react-router";

import { ButtonLink } from "#app/ui/button.tsx";
import { Seal } from "#app/ui/seal.tsx";

import { isCurrent, pageWidth, siteLinks, windowWidth } from "./site-links.ts";
import type { SiteViewer } from "./site-links.ts";
import { SiteMenu, SiteMenuButton } from "./site-menu.tsx";

/** Plain links throughout: most of them lead to pages of another kind, which run no script. */
export function SiteHeader({ viewer, width }: { viewer: SiteViewer | undefined; width: "page" | "window" }) {
  const { pathname } = useLocation();
  const isPage = width === "page";
  return (
    <header className={isPage ? "" : "border-b border-line"}>
      <div className={`flex items-center gap-2 ${isPage ? `${pageWidth} min-h-19` : `${windowWidth} min-h-17`}`}>
        <Brand />
        <nav aria-label="Site" className="ms-5 hidden items-center gap-1 md:flex">
          {siteLinks.map((link) => (
            <HeaderLink key={link.href} {...link} pathname={pathname} />
          ))}
        </nav>
        <nav aria-label="Account" className={`ms-auto hidden items-center gap-1 md:flex ${viewer ? "-me-3" : ""}`}>
          {viewer ? <MemberLinks viewer={viewer} pathname={pathname} /> : <VisitorLinks pathname={pathname} />}
        </nav>
        <SiteMenuButton />
      </div>
      <SiteMenu viewer={viewer} pathname={pathname} />
    </header>
  );
}

export function Brand() {
  return (
    <a href="/" className="flex min-h-11 items-center gap-2.5 pe-2 no-underline">
      <Seal size={28} />
      <span className="heading text-[1.375rem] leading-none">Meishi</span>
    </a>
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
      <HeaderLink href={`/u/${viewer.id}`} label="Profile" pathname={pathname} />
      <form method="post" action="/auth/sign-out">
        <button className={headerLink}>Sign Out</button>
      </form>
    </>
  );
}

const headerLink =
  "inline-flex min-h-11 items-center rounded-control px-3 text-base text-muted no-underline hover:text-text aria-[current]:text-text";
