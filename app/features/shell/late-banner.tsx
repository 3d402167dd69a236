import { useEffect, useState } from "react";
import type { CallBanner } from "./call-banner.tsx";

/** The banner on a member's page: its script is asked for by the one page that shows it, not by the editors. */
export function LateBanner() {
  const [Banner, setBanner] = useState<typeof CallBanner>();
  // A script that comes later. Without it nothing is missing that the page is for.
  useEffect(() => {
    import("./call-banner.tsx").then(
      (part) => setBanner(() => part.CallBanner),
      () => setBanner(undefined),
    );
  }, []);
  return Banner && <Banner isMember />;
}
