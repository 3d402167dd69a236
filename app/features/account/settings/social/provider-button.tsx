import { providerPath } from "#app/services/auth/return-to.ts";
import type { ProviderInfo } from "#app/services/auth/oauth/providers.server.ts";
import { Button } from "#app/ui/components/button.tsx";

import { ProviderIcon } from "./provider-elements.tsx";

type ProviderButtonsProps = { providers: readonly ProviderInfo[]; returnTo: string | undefined };

/** One form per provider, above the form with the password. They work without script. */
export function ProviderButtons({ providers, returnTo }: ProviderButtonsProps) {
  if (providers.length === 0) return null;
  return (
    <div className="grid gap-3">
      {providers.map(({ id, name }) => (
        <form key={id} method="post" action={providerPath(id, returnTo)} name={`with-${id}`} className="grid">
          <Button type="submit" data-busy={`Opening ${name}...`}>
            <ProviderIcon id={id} />
            Continue with {name}
          </Button>
        </form>
      ))}
    </div>
  );
}

/** Between the providers and the form. */
export function OrDivider() {
  return (
    <p className="flex items-center gap-4 text-sm text-muted before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
      or
    </p>
  );
}
