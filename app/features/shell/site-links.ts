export type SiteViewer = { id: string };

/** The same in the header, the menu and the footer. */
export const siteLinks = [
  { href: "/#features", label: "Features" },
  { href: "/pricing", label: "Pricing" },
];

/** Whether a link of the header leads to where somebody is; the editors are part of the profile. */
export function isCurrent(href: string, pathname: string): boolean {
  if (pathname === href) return true;
  return href.startsWith("/u/") && (pathname === "/profile" || pathname.startsWith("/cards/"));
}

/** A page of text and pictures. */
export const pageWidth = "mx-auto w-full max-w-[1200px] px-5";

/** From edge to edge, as tools are. */
export const windowWidth = "w-full px-5 md:px-8";
