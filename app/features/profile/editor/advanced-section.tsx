import { useId, useState } from "react";

import { BannerField } from "#app/features/profile/files/banner-field.tsx";
import type { ProfileFiles } from "#app/features/profile/files/profile-files.ts";
import { ResumeField } from "#app/features/profile/files/resume-field.tsx";
import { Chevron, Icon } from "#app/ui/components/icon.tsx";
import type { IconName } from "#app/ui/components/icon.tsx";

/** Banner, resume and social accounts. Closed at first. */
export function AdvancedSection({ files, ownId }: { files: ProfileFiles; ownId: string }) {
  const id = useId();
  const [wasOpened, setOpened] = useState(false);
  return (
    <details
      className="group rounded-card border border-line bg-raised"
      onToggle={({ currentTarget }) => currentTarget.open && setOpened(true)}
    >
      <summary className={summaryClass}>
        <h2 className="flex-1 text-[1.125rem] leading-7 font-semibold sm:flex-none">Advanced</h2>
        <span className="order-last basis-full text-sm text-muted sm:order-none sm:flex-1 sm:basis-auto">
          Banner, resume, social accounts
        </span>
        <Chevron className="transition-transform group-open:rotate-180 motion-reduce:transition-none" />
      </summary>
      <div className="px-5 pb-5 sm:px-6.5 sm:pb-6.5">
        {wasOpened && (
          <div className="grid gap-8">
            <BannerField files={files} />
            <ResumeField files={files} path={`/u/${ownId}/resume`} />
            <SocialAccounts id={id} />
          </div>
        )}
        <noscript>
          <p className="text-muted">Banner and resume need JavaScript, which is switched off in this browser.</p>
        </noscript>
      </div>
    </details>
  );
}

const summaryClass =
  "flex min-h-18 list-none flex-wrap items-center gap-x-4 rounded-card p-5 sm:px-6.5 [&::-webkit-details-marker]:hidden";

/** Lists the accounts that could be connected. Without buttons, because no provider can be configured yet. */
function SocialAccounts({ id }: { id: string }) {
  return (
    <section aria-labelledby={`${id}-social`} className="grid gap-3">
      <h3 id={`${id}-social`} className="font-semibold">
        Social Accounts
      </h3>
      <p className="text-sm text-muted">
        A connected account shows visitors that it is really yours. Whoever runs this server has to set up each of them
        first.
      </p>
      <ul className="grid divide-y divide-line border-y border-line">
        {providers.map(({ provider, name, icon }) => (
          <li key={provider} className="flex min-h-14 items-center gap-4 py-2">
            <span className="text-muted">
              <Icon name={icon} size={22} />
            </span>
            <p className="flex min-w-0 flex-1 flex-col gap-x-4 sm:flex-row sm:items-baseline sm:justify-between">
              <span className="font-medium">{name}</span>
              <span className="text-sm text-muted">Not configured on this server yet</span>
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** `provider` is the name in sign-in libraries. */
const providers: { provider: string; name: string; icon: IconName }[] = [
  { provider: "github", name: "GitHub", icon: "github" },
  { provider: "linkedin_oidc", name: "LinkedIn", icon: "linkedin" },
  { provider: "twitch", name: "Twitch", icon: "twitch" },
  { provider: "spotify", name: "Spotify", icon: "spotify" },
  { provider: "slack", name: "Slack", icon: "slack" },
  { provider: "facebook", name: "Facebook", icon: "facebook" },
];
