import { findPreferences } from "#app/services/preferences/account-preferences.server.ts";
import { formatCursor, readCursor } from "#app/services/base/page-cursor.ts";
import { requestContext, requireUser, services } from "#app/services/http/context.ts";
import { Page } from "#app/ui/components/page.tsx";
import { BackLink } from "#app/ui/components/back-link.tsx";
import { Pagination } from "#app/ui/components/pagination.tsx";
import { EmptyState } from "#app/ui/components/panel.tsx";

import type { Route } from "./+types/security-log-page.ts";
import { formatOwnTime } from "#app/services/preferences/owner-time.ts";
import { describeEvent } from "./security-event-messages.ts";

const pageSize = 30;

export async function loader({ context, url }: Route.LoaderArgs) {
  const { auth, db } = services(context);
  const ownerId = requireUser(context).id;
  const { address } = context.get(requestContext);
  const choice = await findPreferences(db, ownerId);
  const before = readCursor(url.searchParams.get("before"));
  // One more, to know whether there are older ones.
  const found = await auth.securityEvents.list({ ownerId, before, limit: pageSize + 1 });
  const own = auth.securityEvents.networkOf(address);
  const last = found.length > pageSize ? found[pageSize - 1] : undefined;
  return {
    isFirst: before === undefined,
    events: found.slice(0, pageSize).map(({ id, event, detail, browser, network, createdAt }) => ({
      id,
      ...describeEvent({ event, detail }),
      time: formatOwnTime(createdAt, choice),
      origin: [browser, network !== "" && (network === own ? "this network" : "another network")]
        .filter(Boolean)
        .join(", "),
    })),
    older: last && formatCursor(last),
  };
}

export function meta() {
  return [{ title: "Security log | Meishi" }];
}

export default function SecurityLogPage({ loaderData }: Route.ComponentProps) {
  const { events, older, isFirst } = loaderData;
  return (
    <Page
      width="form"
      title="Security log"
      back={<BackLink to="/account">Account</BackLink>}
      intro="Sign-ins and changes to how you sign in, for 180 days. Something you didn’t do? Change your password and sign out everywhere."
    >
      {events.length === 0 ? (
        <EmptyState title={isFirst ? "Nothing yet" : "Nothing older"} text="Sign-ins and changes will appear here." />
      ) : (
        <ul className="divide-y divide-line rounded-card border border-line bg-raised px-5 sm:px-6.5">
          {events.map(({ id, title, detail, time, origin }) => (
            <li key={id} className="grid gap-1 py-4">
              <p className="flex flex-wrap items-baseline gap-x-3">
                <span className="font-medium">{title}</span>
                {detail && <span className="min-w-0 text-sm text-muted wrap-anywhere">{detail}</span>}
              </p>
              <p className="text-sm text-muted">{[time, origin].filter(Boolean).join(" · ")}</p>
            </li>
          ))}
        </ul>
      )}
      <Pagination
        next={older && `/account/security-log?before=${older}`}
        first={isFirst ? undefined : "/account/security-log"}
      />
    </Page>
  );
}
