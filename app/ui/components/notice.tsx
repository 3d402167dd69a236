import type { ReactNode } from "react";

/** A message in the flow of the page. Screen readers announce errors at once, the others in the next pause. */
export function Notice({ tone = "info", title, action, className = "", children }: NoticeProps) {
  return (
    <div
      role={toneRoles[tone]}
      className={`flex gap-3 rounded-control border border-line-strong bg-raised p-4 ${className}`}
    >
      <span className="flex h-6 items-center">
        <ToneIcon tone={tone} size={20} />
      </span>
      <div className="grid min-w-0 flex-1 gap-1">
        {title && <p className="font-semibold">{title}</p>}
        {children && <div className={title ? "text-sm text-muted" : ""}>{children}</div>}
        {action && (
          <div className="mt-2 flex flex-wrap gap-2.5 max-sm:-ms-8 max-sm:*:grow max-sm:[&>form>button]:w-full print:hidden">
            {action}
          </div>
        )}
      </div>
    </div>
  );
}

const toneRoles: Record<Tone, "alert" | "status" | undefined> = {
  error: "alert",
  warning: "status",
  success: "status",
  info: undefined,
};

type NoticeProps = { tone?: Tone; title?: string; action?: ReactNode; className?: string; children?: ReactNode };

export type Tone = "info" | "success" | "warning" | "error";

/** The icon of a message's tone, which must not be conveyed by color alone. Hidden from screen readers. */
export function ToneIcon({ tone, size = 18 }: { tone: Tone; size?: number }) {
  return (
    <svg
      className={`shrink-0 forced-colors:text-[CanvasText] ${toneClasses[tone]}`}
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={tonePaths[tone]} />
    </svg>
  );
}

const toneClasses: Record<Tone, string> = {
  info: "text-muted",
  success: "text-success",
  warning: "text-warning",
  error: "text-error",
};

const toneRing = "M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0";
const tonePaths: Record<Tone, string> = {
  info: `${toneRing}M12 11v5.5M12 7.6v.1`,
  success: `${toneRing}M8 12.3l2.8 2.8L16 9.5`,
  warning: "M12 4 2.8 19.5h18.4zM12 10v4.5M12 17v.1",
  error: `${toneRing}M12 7.5v5.5M12 16.3v.1`,
};
