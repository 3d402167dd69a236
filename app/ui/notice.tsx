import type { ReactNode } from "react";

import { ToneIcon } from "./tone-icon.tsx";
import type { Tone } from "./tone-icon.tsx";

/** Something to know about this screen, in its flow. Errors interrupt, the rest is read out when there is a pause. */
export function Notice({ tone = "info", title, action, className = "", children }: NoticeProps) {
  return (
    <div
      role={roles[tone]}
      className={`flex gap-3 rounded-control border border-line-strong bg-raised p-4 ${className}`}
    >
      <span className="flex h-6 items-center">
        <ToneIcon tone={tone} size={20} />
      </span>
      <div className="grid min-w-0 flex-1 gap-1">
        {title && <p className="font-semibold">{title}</p>}
        {children && <div className={title ? "text-sm text-muted" : ""}>{children}</div>}
        {action && <div className="mt-2 flex flex-wrap gap-2.5">{action}</div>}
      </div>
    </div>
  );
}

const roles: Record<Tone, "alert" | "status" | undefined> = {
  error: "alert",
  warning: "status",
  success: "status",
  info: undefined,
};

type NoticeProps = { tone?: Tone; title?: string; action?: ReactNode; className?: string; children?: ReactNode };
