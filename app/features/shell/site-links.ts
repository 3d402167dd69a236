import type { IconName } from "#app/ui/components/icon.tsx";
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

/** Where a signed-in user finds their cards, leads and analytics. */
export const homePath = "/home";

/** The main pages of a signed-in user: in the header, and on phones in the bar at the lower edge. */
export function appLinks({ unreadLeads = 0 }: SiteViewer): readonly AppLink[] {
  return [
    { href: homePath, label: "Home", icon: "home" },
    { href: "/cards", label: "Cards", icon: "card" },
    { href: "/leads", label: "Leads", icon: "inbox", ...(unreadLeads > 0 && { badge: unreadBadge(unreadLeads) }) },
    { href: "/analytics", label: "Analytics", icon: "chart" },
  ];
}

type AppLink = SiteLink & { icon: IconName };

/** What else a signed-in user finds in the menu. */
export function accountLinks({ id, handle, isOperator }: SiteViewer): readonly SiteLink[] {
  return [
    { href: `/u/${handle || id}`, label: "Profile" },
    { href: "/account", label: "Account" },
    ...(isOperator ? [{ href: "/admin/users", label: "Admin" }] : []),
  ];
}

function unreadBadge(unread: number) {
  const text = unread > 99 ? "99+" : String(unread);
  return { text, spoken: `${text} unread` };
}

/** Whether a link of the header leads to the current page, or to the section that it is part of. */
export function isCurrent(href: string, pathname: string): boolean {
  if (pathname === href) return true;
  const section = sections.find(({ pages }) => pages.test(pathname));
  return section !== undefined && href.startsWith(section.href);
}

const sections = [
  { href: "/cards", pages: /^\/(cards|share)\// },
  { href: "/leads", pages: /^\/leads\// },
  { href: "/admin/", pages: /^\/admin\// },
  { href: "/account", pages: /^\/(account|webhooks)(\/|$)/ },
  { href: "/u/", pages: /^\/profile$/ },
];
