import { requireUser, services } from "#app/services/http/context.ts";
import { Page } from "#app/ui/components/page.tsx";
import { BackLink } from "#app/ui/components/back-link.tsx";
import { EmptyState, Panel } from "#app/ui/components/panel.tsx";

import type { Route } from "./+types/connections-page.ts";
import { listConnectionItems } from "./connection-data.server.ts";
import { ConnectionList } from "./connection-list.tsx";

export async function loader({ context }: Route.LoaderArgs) {
  return { connections: await listConnectionItems(services(context), requireUser(context).id) };
}

export function meta() {
  return [{ title: "Connected accounts | Meishi" }];
}

/** With which accounts the user can sign in, and which are connected to the profile. */
export default function ConnectionsPage({ loaderData }: Route.ComponentProps) {
  const { connections } = loaderData;
  const groups = [
    { title: "Ways to sign in", list: connections.filter(({ canSignIn }) => canSignIn) },
    { title: "Social Accounts", list: connections.filter(({ canSignIn }) => !canSignIn) },
  ];
  return (
    <Page
      width="form"
      title="Connected accounts"
      back={<BackLink to="/account">Account</BackLink>}
      intro={
        groups[1]?.list.length !== 0 &&
        "Social accounts are only connected to your profile. You can’t sign in with them."
      }
    >
      {connections.length === 0 && (
        <EmptyState title="Nothing to connect" text="No services are set up on this server." />
      )}
      {groups
        .filter(({ list }) => list.length > 0)
        .map(({ title, list }) => (
          <Panel key={title} title={title}>
            <div className="-my-4">
              <ConnectionList connections={list} returnTo="/account/connections" />
            </div>
          </Panel>
        ))}
    </Page>
  );
}
