import { useId } from "react";

import { BannerField } from "./banner-field.tsx";
import type { Pictures } from "./pictures.ts";
import { ResumeField } from "./resume-field.tsx";
import { SocialAccounts } from "./social-accounts.tsx";

/** What is in the Advanced section once it is opened. */
export function AdvancedParts({ pictures, resumePath }: { pictures: Pictures; resumePath: string }) {
  const id = useId();
  return (
    <div className="grid gap-8">
      <BannerField pictures={pictures} />
      <ResumeField pictures={pictures} path={resumePath} />
      <SocialAccounts id={id} />
    </div>
  );
}
