import { useRouteLoaderData } from "react-router";

import { Icon } from "#app/ui/components/icon.tsx";

import { BrandLink } from "#app/features/shell/brand.tsx";
import { secondaryLinks, listSiteLinks } from "#app/features/shell/site-links.ts";
import { pageWidthClass } from "#app/ui/components/page-width.ts";
import { usePremiumAccess } from "#app/features/shell/site-facts.ts";
import type { SocialLink } from "#app/features/shell/shell.server.ts";

export function SiteFooter({ social, isSignedIn }: { social: readonly SocialLink[]; isSignedIn: boolean }) {
  const root = useRouteLoaderData<{ year: number }>("root");
  return (
    <footer className="mt-24 border-t border-line py-5 text-sm text-muted print:hidden">
      <div className={`${pageWidthClass} grid grid-cols-[1fr_auto]`}>
        <div className="col-span-2 gap-x-5 text-text md:col-span-1 md:flex">
          <BrandLink isSignedIn={isSignedIn} />
          <nav aria-label="Footer" className={linksClass}>
            {listSiteLinks(usePremiumAccess()).map((link) => (
              <FooterLink key={link.href} {...link} />
            ))}
          </nav>
        </div>
        <nav aria-label="About this site" className={`col-span-2 md:col-span-1 ${linksClass}`}>
          {secondaryLinks.map((link) => (
            <FooterLink key={link.href} {...link} />
          ))}
        </nav>
        {social.length > 0 && (
          <ul className="-mx-3 flex md:col-start-2 md:row-start-1 md:justify-end">
            {social.map((link) => (
              <li key={link.url}>
                <SocialIconLink link={link} />
              </li>
            ))}
          </ul>
        )}
        <p className="min-h-11 content-center md:col-start-2 md:text-end">© {root?.year} Meishi</p>
      </div>
    </footer>
  );
}

const linksClass = "-mx-3 grid grid-cols-3 text-muted md:flex";

function FooterLink({ href, label }: { href: string; label: string }) {
  return (
    <a href={href} className="inline-flex min-h-11 items-center px-3 no-underline hover:text-text">
      {label}
    </a>
  );
}

function SocialIconLink({ link: { icon, name, url } }: { link: SocialLink }) {
  return (
    <a
      href={url}
      rel="noreferrer"
      aria-label={name}
      title={name}
      className="grid size-11 place-items-center hover:text-text"
    >
      <Icon name={icon} />
    </a>
  );
}
