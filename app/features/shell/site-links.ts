import type { PremiumAccess } from "#app/services/config/setting-values.ts";

/** The signed-in user; `handle` is "" without one. */
export type SiteViewer = { id: string; handle: string; isOperator?: boolean; unreadLeads?: number };

/** `badge` is a short text after the label, and what screen readers hear instead. */
export type SiteLink = { href: string; label: string; badge?: { text: string; spoken: string } };

/** Where "Get Started" leads: the Sign Up tab of the sign-in page. */
export const signUpPath = "/auth?tab=signup";

/** Links in the header, the menu and the footer. */
export function listSiteLinks(premium: PremiumAccess): readonly SiteLink[] {
  return premium === "everyone" ? siteLinks.filter(({ href }) => href !== "/pricing") : siteLinks;
}

const siteLinks: readonly SiteLink[] = [
  { href: "/#features", label: "Features" },
  { href: "/pricing", label: "Pricing" },
  { href: "/docs", label: "Docs" },
];

/** Links in the footer only. */
export const secondaryLinks: readonly SiteLink[] = [
  { href: "/credits", label: "Credits" },
  { href: "/status", label: "Status" },
  { href: "/contact", label: "Contact" },
  { href: "/security-overview", label: "Security" },
  { href: "/privacy", label: "Privacy" },
  { href: "/terms", label: "Terms" },
];

export function accountLinks({ id, handle, isOperator, unreadLeads = 0 }: SiteViewer): readonly SiteLink[] {
  return [
    { href: `/u/${handle || id}`, label: "Profile" },
    { href: "/leads", label: "Leads", ...(unreadLeads > 0 && { badge: unreadBadge(unreadLeads) }) },
    { href: "/my-qr", label: "My QR" },
    { href: "/analytics", label: "Analytics" },
    { href: "/account", label: "Account" },
    ...(isOperator ? [{ href: "/admin/users", label: "Admin" }] : []),
  ];
}

export function unreadBadge(unread: number) {
  const text = unread > 99 ? "99+" : String(unread);
  return { text, spoken: `${text} unread` };
}

/**
 * Whether a header link leads to the current page. The editors and the share pages count as part of the profile, all pages of the operator
 * as Admin, a lead as Leads.
 */
export function isCurrent(href: string, pathname: string): boolean {
  if (pathname === href) return true;
  if (href === "/leads") return pathname.startsWith("/leads/");
  if (href === "/admin/users") return pathname.startsWith("/admin/");
  return href.startsWith("/u/") && /^\/(profile$|cards\/|share\/)/.test(pathname);
}

/** The content width of header, page and footer, the same on every page. */
export const pageWidthClass = "mx-auto w-full max-w-[1200px] px-5";
