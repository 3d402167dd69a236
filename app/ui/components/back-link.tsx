import { Link } from "react-router";

/** A link with an arrow at the top of a page, to the page that it belongs to. */
export function BackLink({ to, children }: { to: string; children: string }) {
  return (
    <Link
      to={to}
      className="inline-flex min-h-11 items-center gap-2 justify-self-start text-sm font-medium text-muted no-underline hover:text-text print:hidden"
    >
      <span aria-hidden="true" className="rtl:-scale-x-100">
        ←
      </span>
      {children}
    </Link>
  );
}
