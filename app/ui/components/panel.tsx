import { useId } from "react";
import type { ReactNode } from "react";

/** A section with a title and a border. `aside` is placed at the end of the title's line. */
export function Panel({ title, aside, id, className = "", children }: PanelProps) {
  const titleId = useId();
  return (
    <section
      id={id}
      aria-labelledby={titleId}
      className={`rounded-card border border-line bg-raised p-5 sm:p-6.5 ${className}`}
    >
      <div className="mb-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2 id={titleId} className="text-[1.125rem] leading-7 font-semibold">
          {title}
        </h2>
        {aside && <div className="text-sm text-muted tabular-nums">{aside}</div>}
      </div>
      {children}
    </section>
  );
}

type PanelProps = { title: string; aside?: ReactNode; id?: string; className?: string; children: ReactNode };

/** Shown instead of an empty list: what it is for, and a button to add the first item. */
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

/** A state that is on, in a frame with a dot: "Active". */
export function StatusBadge({ className = "", children }: { className?: string; children: ReactNode }) {
  return (
    <span
      className={`inline-flex items-center gap-1.5 rounded-full border border-current px-2.5 text-xs leading-5.5 text-success before:size-1.5 before:rounded-full before:bg-current ${className}`}
    >
      {children}
    </span>
  );
}
