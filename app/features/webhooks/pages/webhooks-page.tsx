import { listEndpoints } from "#app/features/webhooks/data.server.ts";
import { webhookMessages as messages } from "#app/features/webhooks/messages.ts";
import { maxEndpoints } from "#app/features/webhooks/rules.ts";
import { requireUser, services } from "#app/services/http/context.ts";
import { Page } from "#app/ui/components/page.tsx";
import { BackLink } from "#app/ui/components/back-link.tsx";
import { ButtonLink } from "#app/ui/components/button.tsx";
import { EmptyState } from "#app/ui/components/panel.tsx";

import type { Route } from "./+types/webhooks-page.ts";
import { DocsLink } from "./endpoint-panels.tsx";
import { endpointState, StateBadge } from "./state-badges.tsx";

export async function loader({ context }: Route.LoaderArgs) {
  const endpoints = await listEndpoints(services(context), requireUser(context).id);
  return {
    endpoints: endpoints.map(({ id, url, hasSecret, kinds, offReason, failingSince }) => ({
      id,
      url: url?.replace("https://", "") ?? messages.unreadable.host,
      kinds,
      state: endpointState({ offReason, isFailing: failingSince !== null || url === undefined || !hasSecret }),
    })),
  };
}

export function meta() {
  return [{ title: "Webhooks | Meishi" }];
}

export default function WebhooksPage({ loaderData: { endpoints } }: Route.ComponentProps) {
  const add = (
    <ButtonLink variant="main" href="/webhooks/new">
      Add webhook
    </ButtonLink>
  );
  return (
    <Page
      width="form"
      title="Webhooks"
      back={<BackLink to="/account">Account</BackLink>}
      intro={
        <>
          Send new leads and other events to your own server, a CRM or an automation service as soon as they happen.{" "}
          <DocsLink>For developers</DocsLink>
        </>
      }
    >
      {endpoints.length === 0 ? (
        <EmptyState
          title="No webhooks yet"
          text="A webhook is an address that gets a signed message for each event that you choose. Failed messages are repeated for 24 hours, and a log shows what was sent."
          action={add}
        />
      ) : (
        <ul className="divide-y divide-line overflow-clip rounded-card border border-line bg-raised">
          {endpoints.map(({ id, url, kinds, state }) => (
            <li key={id}>
              <a
                href={`/webhooks/${id}`}
                className="grid grid-cols-1 gap-1 px-5 py-4 no-underline hover:bg-higher focus-visible:-outline-offset-2 sm:px-6.5"
              >
                <span className="flex items-baseline justify-between gap-4">
                  <span dir="ltr" className="min-w-0 truncate font-medium">
                    {url}
                  </span>
                  <StateBadge state={state} />
                </span>
                <span className="text-sm text-muted">{kinds.map((kind) => messages.kinds[kind]).join(" · ")}</span>
              </a>
            </li>
          ))}
        </ul>
      )}
      {endpoints.length > 0 && endpoints.length < maxEndpoints && <div>{add}</div>}
      {endpoints.length >= maxEndpoints && <p className="text-sm text-muted">{messages.full}</p>}
    </Page>
  );
}
