import { Outlet, redirect, useLocation } from "react-router";

import { requireFresh } from "#app/services/auth/reauthentication/reauthentication.server.ts";
import { hasSecondFactor } from "#app/services/auth/factors/second-factor-state.server.ts";
import { requireUser, services } from "#app/services/http/context.ts";

import type { Route } from "./+types/admin-layout.ts";

/**
 * For everyone but operators these routes don't exist (server/app.ts). Operators need a second factor and a recent proof of identity; an
 * action checks the proof itself, in order to keep what was typed.
 */
export const middleware: Route.MiddlewareFunction[] = [
  async ({ request, context, url }, next) => {
    if (!(await hasSecondFactor(services(context).db, requireUser(context).id))) throw redirect("/admin/two-step");
    if (request.method !== "POST") requireFresh(context, url);
    return next();
  },
];

/** Also makes client-side navigation pass the middleware. */
export const loader = () => null;

export default function AdminLayout() {
  const { pathname } = useLocation();
  return (
    <div className="mx-auto grid w-full max-w-[1200px] grid-cols-1 gap-6 px-5">
      <nav aria-label="Admin" className="-mt-3 -mb-4 flex flex-wrap gap-x-1 border-b border-line">
        {pages.map(({ href, label }) => (
          <a
            key={href}
            href={href}
            aria-current={pathname === href ? "page" : pathname.startsWith(`${href}/`) ? "true" : undefined}
            className={tabClass}
          >
            {label}
          </a>
        ))}
      </nav>
      <Outlet />
    </div>
  );
}

const pages = [
  { href: "/admin/users", label: "Users" },
  { href: "/admin/invitations", label: "Invitations" },
  { href: "/admin/billing", label: "Billing" },
  { href: "/admin/log", label: "Log" },
  { href: "/admin/system", label: "System" },
  { href: "/admin/setup", label: "Setup" },
];

const tabClass =
  "-mb-px inline-flex min-h-11 items-center border-b-2 border-transparent px-3 font-medium text-muted no-underline hover:text-text aria-[current]:border-text aria-[current]:text-text";
