import { useRouteLoaderData } from "react-router";

import { Brand } from "./site-header.tsx";
import { pageWidth, siteLinks } from "./site-links.ts";

export function SiteFooter() {
  const root = useRouteLoaderData<{ year: number }>("root");
  return (
    <footer className="mt-24 border-t border-line">
      <div className={`${pageWidth} flex flex-wrap items-center gap-x-6 gap-y-2 py-6 text-sm text-muted`}>
        <div className="text-text">
          <Brand />
        </div>
        <p>© {root?.year} Meishi</p>
        <nav aria-label="Footer" className="flex gap-1 sm:ms-auto">
          {[...siteLinks, { href: "/credits", label: "Credits" }].map(({ href, label }) => (
            <a
              key={href}
              href={href}
              className="inline-flex min-h-11 items-center px-3 no-underline first:-ms-3 hover:text-text sm:first:ms-0 sm:last:-me-3"
            >
              {label}
            </a>
          ))}
        </nav>
      </div>
    </footer>
  );
}
