import { useId } from "react";
import type { ReactNode } from "react";

/** A titled group on a screen: one hairline, one step above the ground. `aside` stands at the end of the title's line. */
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
