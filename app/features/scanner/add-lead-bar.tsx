import { ButtonLink } from "#app/ui/components/button.tsx";
import { Icon } from "#app/ui/components/icon.tsx";

/** How owners add leads themselves. `variant` is that of the scanner. */
export function AddLeadBar({ variant }: { variant: "main" | "quiet" }) {
  return (
    <>
      <ButtonLink variant={variant} size="s" href="/leads/scan">
        <ScanImage />
        Scan a card
      </ButtonLink>
      <ButtonLink size="s" href="/leads/new">
        <Icon name="user-plus" />
        Add a lead
      </ButtonLink>
    </>
  );
}

/** A card in the frame of a camera, as a line drawing in the color of the text. Put a text beside it. */
export function ScanImage({ size = 20, className = "" }: { size?: number; className?: string }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={size > 40 ? 1 : 1.7}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      className={`shrink-0 ${className}`}
    >
      <path d="M3 7.5V5a1.5 1.5 0 0 1 1.5-1.5H7M17 3.5h2.5A1.5 1.5 0 0 1 21 5v2.5M21 16.5V19a1.5 1.5 0 0 1-1.5 1.5H17M7 20.5H4.5A1.5 1.5 0 0 1 3 19v-2.5M6 8h12v8H6zM8.5 11h4M8.5 13.5h6" />
    </svg>
  );
}
