export type Tone = "info" | "success" | "warning" | "error";

/** The drawing that goes with a message, so that its kind is not told by colour alone. Words stand beside it. */
export function ToneIcon({ tone, size = 18 }: { tone: Tone; size?: number }) {
  return (
    <svg
      className={`shrink-0 forced-colors:text-[CanvasText] ${toneColour[tone]}`}
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
      <path d={drawings[tone]} />
    </svg>
  );
}

const toneColour: Record<Tone, string> = {
  info: "text-muted",
  success: "text-success",
  warning: "text-warning",
  error: "text-error",
};

const ring = "M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0";
const drawings: Record<Tone, string> = {
  info: `${ring}M12 11v5.5M12 7.6v.1`,
  success: `${ring}M8 12.3l2.8 2.8L16 9.5`,
  warning: "M12 4 2.8 19.5h18.4zM12 10v4.5M12 17v.1",
  error: `${ring}M12 7.5v5.5M12 16.3v.1`,
};
