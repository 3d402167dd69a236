import { listIntegrations } from "#app/features/integrations/data.server.ts";
import { destinations } from "#app/features/integrations/destinations.server.ts";
import { findAccess } from "#app/features/integrations/oauth-request.server.ts";
import { integrationMessages as messages } from "#app/features/integrations/messages.ts";
import { maxIntegrations } from "#app/features/integrations/rules.ts";
import { requireUser, services } from "#app/services/http/context.ts";
import { BackLink } from "#app/ui/components/back-link.tsx";
import { Page } from "#app/ui/components/page.tsx";
import { Panel } from "#app/ui/components/panel.tsx";

import type { Route } from "./+types/integrations-page.ts";
import { StateBadge } from "./state-badges.tsx";

export async function loader({ context }: Route.LoaderArgs) {
  const all = services(context);
  const own = await listIntegrations(all, requireUser(context).id);
  return {
    integrations: own.map(({ id, destination, settings, state }) => ({
      id,
      name: destination.name,
      target: settings ? destination.target(settings) : "",
      state,
    })),
    // Without the operator's client, there is nothing to connect.
    available: destinations
      .filter((one) => !one.oauth || findAccess(all, one))
      .map(({ kind, name, about }) => ({ kind, name, about })),
    missing: destinations.filter((one) => one.oauth && !findAccess(all, one)).map(({ name }) => name),
  };
}

export function meta() {
  return [{ title: "Integrations | Meishi" }];
}

const others = [
  {
    kind: "webhooks",
    href: "/webhooks",
    name: "n8n, Zapier, Make and your own programs",
    about: "Webhooks send each new lead to an address of yours.",
  },
  {
    kind: "devices",
    href: "/leads/devices",
    name: "Contacts on your phone",
    about: "Your phone or computer shows your leads in its contacts app.",
  },
];

export default function IntegrationsPage({ loaderData: { integrations, available, missing } }: Route.ComponentProps) {
  const isFull = integrations.length >= maxIntegrations;
  const services = isFull ? [] : available.map((one) => ({ ...one, href: `/integrations/new/${one.kind}` }));
  return (
    <Page
      width="form"
      title="Integrations"
      back={<BackLink to="/leads">Leads</BackLink>}
      intro="Copy your leads to other services. When a consent ends, the contact is deleted there as well."
    >
      {integrations.length > 0 && (
        <ul className={listClass}>
          {integrations.map(({ id, name, target, state }) => (
            <li key={id}>
              <a href={`/integrations/${id}`} className={rowClass}>
                <span className="flex items-baseline justify-between gap-4">
                  <span className="font-medium">{name}</span>
                  <StateBadge state={state} />
                </span>
                <span dir="ltr" className="min-w-0 truncate text-sm text-muted">
                  {target}
                </span>
              </a>
            </li>
          ))}
        </ul>
      )}
      <Panel title="Connect a service">
        {isFull && <p className="mb-4 text-sm text-muted">{messages.full}</p>}
        <ul className="-mx-5 -mb-5 divide-y divide-line border-t border-line sm:-mx-6.5 sm:-mb-6.5">
          {[...services, ...others].map(({ kind, href, name, about }) => (
            <li key={kind}>
              <a href={href} className={rowClass}>
                <span className="font-medium">{name}</span>
                <span className="text-sm text-muted">{about}</span>
              </a>
            </li>
          ))}
        </ul>
      </Panel>
      {missing.length > 0 && (
        <p className="text-sm text-muted">
          {missing.join(" and ")} {missing.length === 1 ? "isn’t" : "aren’t"} set up on this server. Its operator can do
          that: docs/integrations.md says how.
        </p>
      )}
    </Page>
  );
}

const listClass = "divide-y divide-line overflow-clip rounded-card border border-line bg-raised";
const rowClass =
  "grid grid-cols-1 gap-1 px-5 py-4 no-underline hover:bg-higher focus-visible:-outline-offset-2 sm:px-6.5";
