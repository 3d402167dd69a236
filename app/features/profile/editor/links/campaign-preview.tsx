import { useId } from "react";

import { isAllowedAddress, maxCampaignLength, withScheme } from "#app/features/links/rules.ts";
import type { LinkCampaign } from "#app/features/links/rules.ts";
import { keptParameters, withCampaign } from "#app/features/profile/public/campaign-url.ts";

/** The address that visitors open; nothing while the URL or the campaign can't be saved. */
export function CampaignPreview({ link }: { link: LinkCampaign & { url: string } }) {
  const id = useId();
  const url = withScheme(link.url);
  const { utmSource, utmMedium, utmCampaign } = link;
  const isTooLong = [utmSource, utmMedium, utmCampaign].some((text = "") => text.length > maxCampaignLength);
  if (!isAllowedAddress(url) || isTooLong) return null;
  const kept = keptParameters(url, link);
  return (
    <div className="grid gap-1 text-sm">
      <p id={id} className="font-medium">
        Visitors open
      </p>
      <p aria-labelledby={id} dir="ltr" className="rounded-control bg-higher px-3 py-2 wrap-anywhere text-muted">
        {withCampaign(url, link)}
      </p>
      {kept.length > 0 && (
        <p className="text-muted">
          The URL already has {kept.join(", ")}, which {kept.length === 1 ? "stays" : "stay"} as typed.
        </p>
      )}
    </div>
  );
}
