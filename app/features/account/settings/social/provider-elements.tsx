import type { ProviderId } from "#app/services/auth/oauth/providers.server.ts";
import { Icon } from "#app/ui/components/icon.tsx";

/** A sign for a provider, in the style of our other icons. Hidden from screen readers. */
export function ProviderIcon({ id }: { id: ProviderId | "wallet" }) {
  if (id === "sso") return <Icon name="globe" />;
  if (id === "linkedin_oidc") return <Icon name="linkedin" />;
  if (id !== "google" && id !== "apple") return <Icon name={id} />;
  return (
    <svg
      width={20}
      height={20}
      viewBox="0 0 24 24"
      strokeWidth={2.2}
      strokeLinecap="round"
      strokeLinejoin="round"
      className="shrink-0 fill-none stroke-current"
      aria-hidden="true"
    >
      <path d={paths[id]} />
    </svg>
  );
}

const paths = {
  google: "M20 12h-7.5M20 12a8 8 0 1 1-2.6-5.9",
  apple:
    "M15.5 3.5c.2 1.9-1.4 3.6-3.3 3.6-.2-1.8 1.5-3.5 3.3-3.6M18.6 16.6c-1 2.2-2.2 3.9-3.7 3.9-1.1 0-1.5-.6-2.8-.6s-1.8.6-2.8.6c-2.3 0-4.8-4-4.8-7.7 0-3.3 2.1-5.2 4.3-5.2 1.3 0 2.3.8 3.3.8s2.1-.9 3.7-.9c1.4 0 2.5.6 3.2 1.6-2.7 1.6-2.3 5.7.1 7.4",
};
