/** Something is under way; `label` is read out. */
export function Spinner({ label = "Loading...", size = 20 }: { label?: string; size?: number }) {
  return (
    <output className="inline-flex items-center gap-3 text-muted">
      <svg
        className="animate-spin motion-reduce:animate-none"
        width={size}
        height={size}
        viewBox="0 0 24 24"
        fill="none"
        stroke="currentColor"
        strokeWidth="2.4"
        strokeLinecap="round"
        aria-hidden="true"
      >
        <circle cx="12" cy="12" r="9" opacity="0.25" />
        <path d="M12 3a9 9 0 0 1 9 9" />
      </svg>
      <span>{label}</span>
    </output>
  );
}
