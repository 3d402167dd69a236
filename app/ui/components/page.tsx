import type { ReactNode } from "react";

import { pageWidthClass } from "./page-width.ts";

/**
 * A page of the signed-in app: the way back, the title and the page's actions, at the same position on every page, with the content below.
 * `width`: `form` for a column of fields, `list` for rows, `full` for a grid of its own.
 */
export function Page({ width = "full", children, ...header }: PageProps) {
  return (
    <div className={`${pageWidthClass} pb-5`}>
      <PageHeader {...header} />
      <div className={`mt-4 grid min-w-0 grid-cols-1 gap-5 ${widthClasses[width]}`}>{children}</div>
    </div>
  );
}

type PageProps = PageHeaderProps & { width?: keyof typeof widthClasses; children: ReactNode };

const widthClasses = { form: "max-w-160", list: "max-w-200", full: "" };

/** `tabs` is the navigation between pages that belong together, `intro` a sentence below them or the title. */
export function PageHeader({ title, back, aside, actions, intro, tabs }: PageHeaderProps) {
  return (
    <header className="col-[1/-1] grid grid-cols-1 pb-1">
      {/* As high without a link, so that all titles are at the same position. */}
      <div className="-mt-3 flex min-h-11 items-center justify-between gap-4 text-sm">
        {back ?? <span />}
        {aside}
      </div>
      <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <div className="flex min-h-11 min-w-0 items-center">
          {typeof title === "string" ? <PageTitle>{title}</PageTitle> : title}
        </div>
        {actions && (
          <div className="flex flex-wrap items-center gap-2.5 max-sm:grow max-sm:*:grow max-sm:[&>[aria-haspopup]]:grow-0 print:hidden">
            {actions}
          </div>
        )}
      </div>
      {tabs && <div className="mt-3 not-last:mb-3">{tabs}</div>}
      {intro && <div className="mt-1 max-w-160 text-muted">{intro}</div>}
    </header>
  );
}

type PageHeaderProps = {
  /** A text, or a `PageTitle` with what the heading needs besides. */
  title: ReactNode;
  back?: ReactNode;
  aside?: ReactNode;
  actions?: ReactNode;
  intro?: ReactNode;
  tabs?: ReactNode;
};

export function PageTitle({ className = "", children, ...rest }: React.ComponentProps<"h1">) {
  return (
    <h1 className={`heading text-xl wrap-anywhere ${className}`} {...rest}>
      {children}
    </h1>
  );
}
