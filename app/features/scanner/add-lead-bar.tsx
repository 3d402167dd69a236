import { ButtonLink } from "#app/ui/components/button.tsx";
import { Icon } from "#app/ui/components/icon.tsx";

import { ScanImage } from "./scan-image.tsx";

/** How owners add leads themselves. */
export function AddLeadBar() {
  return (
    <div className="flex flex-wrap gap-2.5 max-sm:w-full max-sm:*:grow print:hidden">
      <ButtonLink size="s" href="/leads/scan">
        <ScanImage />
        Scan a card
      </ButtonLink>
      <ButtonLink size="s" href="/leads/new">
        <Icon name="user-plus" />
        Add a lead
      </ButtonLink>
    </div>
  );
}
