import type { ReactNode } from "react";

/** Nothing here yet: what this place is for, and the button that fills it. */
export function EmptyState({ title, text, action, className = "" }: EmptyStateProps) {
  return (
    <div
      className={`grid justify-items-center gap-1.5 rounded-control border border-dashed border-line-strong px-5 py-8 text-center ${className}`}
    >
      <p className="font-semibold text-balance">{title}</p>
      {text && <p className="max-w-90 text-sm text-balance text-muted">{text}</p>}
      {action && <div className="mt-3">{action}</div>}
    </div>
  );
}

type EmptyStateProps = { title: string; text?: ReactNode; action?: ReactNode; className?: string };
