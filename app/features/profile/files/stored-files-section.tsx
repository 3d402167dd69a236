import { BannerField } from "./banner-field.tsx";
import type { ProfileFiles } from "./profile-files.ts";
import { ResumeField } from "./resume-field.tsx";

/** What the Advanced section contains. */
export function StoredFilesSection({ files, ownId }: { files: ProfileFiles; ownId: string }) {
  return (
    <div className="grid gap-8">
      <BannerField files={files} />
      <ResumeField files={files} path={`/u/${ownId}/resume`} />
    </div>
  );
}
