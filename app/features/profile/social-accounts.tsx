import { Icon } from "#app/ui/icon.tsx";
import type { IconName } from "#app/ui/icon.tsx";

/** The accounts elsewhere that can be connected. No button yet: there is nothing that it could do. */
export function SocialAccounts({ id }: { id: string }) {
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

/** By the names that sign-in services have for them. */
const providers: { provider: string; name: string; icon: IconName }[] = [
  { provider: "github", name: "GitHub", icon: "github" },
  { provider: "linkedin_oidc", name: "LinkedIn", icon: "linkedin" },
  { provider: "twitch", name: "Twitch", icon: "twitch" },
  { provider: "spotify", name: "Spotify", icon: "spotify" },
  { provider: "slack", name: "Slack", icon: "slack" },
  { provider: "facebook", name: "Facebook", icon: "facebook" },
];
