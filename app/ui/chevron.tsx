/** Points down at what can be opened; `className` says where it stands, and when it turns to point up. */
export function Chevron({ size = 16, className = "" }: { size?: 12 | 16; className?: string }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 16 16"
      strokeWidth={size === 12 ? 1.9 : 1.6}
      className={`shrink-0 fill-none stroke-muted ${className}`}
      aria-hidden="true"
    >
      <path d="M4 6.5l4 4 4-4" />
    </svg>
  );
}
