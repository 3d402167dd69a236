import { useState } from "react";
import type { ReactNode } from "react";

import type { ProfileFiles } from "#app/features/profile/files/profile-files.ts";
import { Chevron } from "#app/ui/components/icon.tsx";
import { LazyPart } from "#app/ui/components/loading.tsx";

import { ProfileSwitch } from "./details-section.tsx";
import type { ProfileFormAction, ProfileFormState } from "./form-state.ts";

/** Banner, resume, and the social accounts of configured providers. Closed at first. */
export function AdvancedSection({ state, dispatch, formId, files, ownId, accounts }: AdvancedSectionProps) {
  const [wasOpened, setOpened] = useState(false);
  return (
    <details
      className="group rounded-card border border-line bg-raised"
      onToggle={({ currentTarget }) => currentTarget.open && setOpened(true)}
    >
      <summary className={summaryClass}>
        <h2 className="flex-1 text-[1.125rem] leading-7 font-semibold sm:flex-none">Advanced</h2>
        <span className="order-last basis-full text-sm text-muted sm:order-none sm:flex-1 sm:basis-auto">
          {accounts ? "Banner, resume and social accounts" : "Banner and resume"}
        </span>
        <Chevron className="transition-transform group-open:rotate-180 motion-reduce:transition-none" />
      </summary>
      <div className="px-5 pb-5 sm:px-6.5 sm:pb-6.5">
        {/* Not loaded later: the form needs it to be there. */}
        <ProfileSwitch
          {...{ state, dispatch }}
          name="showBusinessCard"
          form={formId}
          hint="Only you can see this list."
          className="mb-4"
        />
        {wasOpened && (
          <LazyPart load={loadFields} fallback={<div className="h-80" />}>
            {({ StoredFilesSection }) => <StoredFilesSection files={files} ownId={ownId} />}
          </LazyPart>
        )}
        <noscript>
          <p className="text-muted">Turn on JavaScript to add a banner or a resume.</p>
        </noscript>
        {accounts && (
          <div className="mt-6 border-t border-line pt-5">
            <h3 className="font-semibold">Social Accounts</h3>
            {accounts}
          </div>
        )}
      </div>
    </details>
  );
}

type AdvancedSectionProps = {
  state: ProfileFormState;
  dispatch: (action: ProfileFormAction) => void;
  /** Of the profile's form, which is elsewhere on the page. */
  formId: string;
  files: ProfileFiles;
  ownId: string;
  accounts: ReactNode;
};

const loadFields = () => import("#app/features/profile/files/stored-files-section.tsx");

const summaryClass =
  "flex min-h-18 list-none flex-wrap items-center gap-x-4 rounded-card p-5 sm:px-6.5 [&::-webkit-details-marker]:hidden";
