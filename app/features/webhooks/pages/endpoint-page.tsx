import { formatOwnTime } from "#app/services/preferences/owner-time.ts";
import { Pagination } from "#app/ui/components/pagination.tsx";
import { throwNotFound } from "#app/features/shell/shell.server.ts";
import { findEndpoint } from "#app/features/webhooks/data.server.ts";
import { countWaiting } from "#app/features/webhooks/delivery/delivery-data.server.ts";
import { listDeliveries } from "#app/features/webhooks/delivery/log-data.server.ts";
import { hostLabel, unreadableText, webhookMessages as messages } from "#app/features/webhooks/messages.ts";
import { maxFailingMs } from "#app/features/webhooks/rules.ts";
import { formatCursor, readCursor } from "#app/services/base/page-cursor.ts";
import { findPreferences } from "#app/services/preferences/account-preferences.server.ts";
import { intentAction } from "#app/services/forms/form-action.server.ts";
import { requireUser, services } from "#app/services/http/context.ts";
import { Page } from "#app/ui/components/page.tsx";
import { BackLink } from "#app/ui/components/back-link.tsx";
import { ButtonLink } from "#app/ui/components/button.tsx";
import { Notice } from "#app/ui/components/notice.tsx";
import { Panel } from "#app/ui/components/panel.tsx";

import type { Route } from "./+types/endpoint-page.ts";
import { endpointForms } from "./endpoint-action.server.ts";
import { DeletePanel, OffNotice, ResendForm, SwitchForm, TestPanel } from "./endpoint-panels.tsx";
import { endpointState, StateBadge } from "./state-badges.tsx";

const pageSize = 30;

export async function loader({ params, context, url }: Route.LoaderArgs) {
  const all = services(context);
  const ownerId = requireUser(context).id;
  const endpoint = await findEndpoint(all, { ownerId, id: params.id });
  if (!endpoint) throwNotFound(context, url);
  const { id, kinds, offReason, failingSince, paused, leftOut, oldSecretUntil } = endpoint;
  const choice = await findPreferences(all.db, ownerId);
  const timeOf = (time: number) => formatOwnTime(time, choice);
  const onlyFailed = url.searchParams.get("state") === "failed";
  const before = readCursor(url.searchParams.get("before"));
  const found = await listDeliveries(all.db, { ownerId, endpointId: id, onlyFailed, before, limit: pageSize + 1 });
  const end = found.length > pageSize ? found[pageSize - 1] : undefined;
  return {
    id,
    url: endpoint.url,
    host: hostLabel(endpoint.url),
    unreadable: unreadableText(endpoint),
    kinds,
    offReason,
    failing:
      failingSince === null ? undefined : { since: timeOf(failingSince), end: timeOf(failingSince + maxFailingMs) },
    paused: paused && {
      text: messages.paused(paused.unanswered, await countWaiting(all.db, id)),
      next: paused.until > all.clock() ? timeOf(paused.until) : undefined,
    },
    leftOut: leftOut && messages.leftOut(leftOut.count, timeOf(leftOut.lastAt)),
    oldSecretUntil: oldSecretUntil && timeOf(oldSecretUntil),
    onlyFailed,
    isFirst: before === undefined,
    older: end && formatCursor({ createdAt: end.created_at, id: end.id }),
    deliveries: found.slice(0, pageSize).map(({ is_test, next_attempt_at, ...row }) => ({
      id: row.id,
      kind: row.kind,
      isTest: is_test === 1,
      state: row.state,
      attempts: row.attempts,
      time: timeOf(row.happened_at),
      next:
        next_attempt_at !== null && row.attempts > 0
          ? timeOf(Math.max(next_attempt_at, paused?.until ?? 0))
          : undefined,
    })),
  };
}

export async function action(args: Route.ActionArgs) {
  return intentAction(args, endpointForms);
}

export function meta({ loaderData }: Route.MetaArgs) {
  return [{ title: `${loaderData?.host ?? "Webhook"} | Meishi` }];
}

export default function EndpointPage({ loaderData }: Route.ComponentProps) {
  const { id, url, host, unreadable, kinds, offReason, failing, paused, leftOut, oldSecretUntil } = loaderData;
  const state = endpointState({ offReason, isFailing: !!failing || !!unreadable });
  return (
    <Page width="form" title={host} back={<BackLink to="/webhooks">Webhooks</BackLink>}>
      <OffNotice unreadable={unreadable} offReason={offReason} failing={failing} paused={paused} />
      {leftOut && (
        <Notice tone="warning" title={leftOut}>
          {messages.leftOutHint}
        </Notice>
      )}
      <Panel title="Settings" aside={<StateBadge state={state} />}>
        <dl className="grid gap-4 [&_dt]:text-sm [&_dt]:text-muted">
          <div>
            <dt>Address</dt>
            <dd dir="ltr" className="wrap-anywhere">
              {url ?? messages.unreadable.host}
            </dd>
          </div>
          <div>
            <dt>Sent when</dt>
            <dd>{kinds.map((kind) => messages.kinds[kind]).join(" · ")}</dd>
          </div>
          {oldSecretUntil && (
            <div>
              <dt>Old secret</dt>
              <dd>Also signs until {oldSecretUntil}</dd>
            </div>
          )}
        </dl>
        <div className="mt-5 flex flex-wrap gap-2.5 max-sm:*:grow">
          <ButtonLink size="s" href={`/webhooks/${id}/edit`}>
            Edit
          </ButtonLink>
          <ButtonLink size="s" href={`/webhooks/${id}/secret`}>
            Signing secret
          </ButtonLink>
          <SwitchForm isOn={!offReason} />
        </div>
      </Panel>
      {!unreadable && <TestPanel kinds={kinds} />}
      <LogPanel {...loaderData} />
      <DeletePanel />
    </Page>
  );
}

type LogProps = Pick<
  Route.ComponentProps["loaderData"],
  "id" | "deliveries" | "onlyFailed" | "isFirst" | "older" | "offReason"
>;

function LogPanel({ id, deliveries, onlyFailed, isFirst, older, offReason }: LogProps) {
  const here = `/webhooks/${id}`;
  const filter = onlyFailed ? "&state=failed" : "";
  const hasFailed = deliveries.some(({ state, next }) => state === "failed" || next);
  return (
    <Panel
      title="Messages"
      aside={
        (onlyFailed || deliveries.length > 0) && (
          <a href={onlyFailed ? here : `${here}?state=failed`} className="inline-flex min-h-11 items-center underline">
            {onlyFailed ? "Show all" : "Show failed"}
          </a>
        )
      }
    >
      {deliveries.length === 0 ? (
        <p className="text-muted">
          {onlyFailed ? "Nothing failed." : "Nothing sent yet."} Messages stay here for 30 days.
        </p>
      ) : (
        <ul className="-mx-5 divide-y divide-line border-y border-line sm:-mx-6.5">
          {deliveries.map(({ id: delivery, kind, isTest, state, attempts, time, next }) => (
            <li key={delivery}>
              <a
                href={`${here}/log/${delivery}`}
                className="grid gap-0.5 px-5 py-3.5 no-underline hover:bg-higher sm:px-6.5"
              >
                <span className="flex items-baseline justify-between gap-4">
                  <span className="font-medium">{isTest ? `${kind} (test)` : kind}</span>
                  <StateBadge state={state} />
                </span>
                <span className="text-sm text-muted">
                  {[time, attempts > 1 && `${attempts} attempts`, next && `next ${next}`].filter(Boolean).join(" · ")}
                </span>
              </a>
            </li>
          ))}
        </ul>
      )}
      <div className="mt-4 grid gap-4 empty:hidden">
        <Pagination
          next={older && `${here}?before=${older}${filter}`}
          first={isFirst ? undefined : `${here}?${filter.slice(1)}`}
        />
        {!offReason && hasFailed && <ResendForm />}
      </div>
    </Panel>
  );
}
