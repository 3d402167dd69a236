import type { Connection } from "#app/services/auth/oauth/connections.server.ts";
import { Button } from "#app/ui/components/button.tsx";

import { ProviderIcon } from "./provider-elements.tsx";

/** `since`: "22 November 2026" for a connected account. */
export type ConnectionItem = Pick<Connection, "name" | "canSignIn"> & {
  id: Connection["id"] | "wallet";
  since: string | undefined;
};

/** The accounts at providers, each with a plain form: the server answers with a page that opens the provider. */
export function ConnectionList({
  connections,
  returnTo,
}: {
  connections: readonly ConnectionItem[];
  returnTo: string;
}) {
  return (
    <ul className="divide-y divide-line">
      {connections.map(({ id, name, since }) => (
        <li key={id} className="flex items-center justify-between gap-4 py-4">
          <div className="flex min-w-0 items-center gap-3">
            <span className="shrink-0">
              <ProviderIcon id={id} />
            </span>
            <div className="grid min-w-0">
              <p className="font-medium wrap-anywhere">{name}</p>
              <p className="text-sm text-balance text-muted">{since ? `Connected ${since}` : "Not connected"}</p>
            </div>
          </div>
          <form method="post" action={`/account/connections/${id}`} className="shrink-0">
            <input type="hidden" name="intent" value={since ? "disconnect" : "connect"} />
            <input type="hidden" name="returnTo" value={returnTo} />
            <Button type="submit" size="s">
              {since ? "Disconnect" : "Connect"}
              <span className="sr-only"> {name}</span>
            </Button>
          </form>
        </li>
      ))}
    </ul>
  );
}
