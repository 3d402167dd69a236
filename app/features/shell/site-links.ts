export type SiteViewer = { id: string };

type SiteLink = { href: string; label: string };

/** The same in the header, the menu and the footer. */
export const siteLinks: readonly SiteLink[] = [
  { href: "/#features", label: "Features" },
  { href: "/pricing", label: "Pricing" },
  { href: "/docs", label: "Docs" },
];

/** What few people look for, and some have to find. */
export const quietLinks: readonly SiteLink[] = [
  { href: "/credits", label: "Credits" },
  { href: "/status", label: "Status" },
  { href: "/contact", label: "Contact" },
  { href: "/security-overview", label: "Security" },
  { href: "/privacy", label: "Privacy" },
  { href: "/terms", label: "Terms" },
];

export function memberLinks({ id }: SiteViewer): readonly SiteLink[] {
  return [
    { href: `/u/${id}`, label: "Profile" },
    { href: "/account", label: "Account" },
  ];
}

/** Whether a link of the header leads to where somebody is; the editors and the page to share from are part of the profile. */
export function isCurrent(href: string, pathname: string): boolean {
  if (pathname === href) return true;
  return href.startsWith("/u/") && /^\/(profile$|cards\/|share\/)/.test(pathname);
}

/** From the brand in the header to the last line of the footer, on every page: nothing jumps from one to the next. */
export const pageWidth = "mx-auto w-full max-w-[1200px] px-5";
