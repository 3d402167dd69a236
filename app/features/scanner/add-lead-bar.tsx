import { ButtonLink } from "#app/ui/components/button.tsx";
import { Icon } from "#app/ui/components/icon.tsx";

import { ScanImage } from "./scan-image.tsx";

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
