import { formatOwnTime } from "#app/services/preferences/owner-time.ts";
import { throwNotFound } from "#app/features/shell/shell.server.ts";
import { findEndpoint } from "#app/features/webhooks/data.server.ts";
import { findDelivery, redeliver } from "#app/features/webhooks/delivery/log-data.server.ts";
import { requestHeaders } from "#app/features/webhooks/delivery/request-rules.ts";
import { buildBody } from "#app/features/webhooks/delivery/send-tasks.server.ts";
import { webhookBox } from "#app/features/webhooks/endpoint-row.server.ts";
import { answerLabel, hostLabel } from "#app/features/webhooks/messages.ts";
import { webhookLimits } from "#app/features/webhooks/rules.ts";
import { findPreferences } from "#app/services/preferences/account-preferences.server.ts";
import { intentAction } from "#app/services/forms/form-action.server.ts";
import { requireUser, services } from "#app/services/http/context.ts";
import { redirectWithToast } from "#app/services/http/toast.server.ts";
import { Page } from "#app/ui/components/page.tsx";
import { BackLink } from "#app/ui/components/back-link.tsx";
import { Button } from "#app/ui/components/button.tsx";
import { Panel } from "#app/ui/components/panel.tsx";

import type { Route } from "./+types/delivery-page.ts";
import { openChange } from "./endpoint-action.server.ts";
import { StateBadge } from "./state-badges.tsx";

export async function loader({ params, context, url }: Route.LoaderArgs) {
  const all = services(context);
  const ownerId = requireUser(context).id;
  const endpoint = await findEndpoint(all, { ownerId, id: params.id });
  const box = webhookBox(all);
  const found = await findDelivery(all.db, { ownerId, endpointId: params.id, id: params.delivery, box });
  if (!endpoint || !found) throwNotFound(context, url);
  const { delivery, attempts } = found;
  const choice = await findPreferences(all.db, ownerId);
  const timeOf = (time: number) => formatOwnTime(time, choice);
  const body = await buildBody(all, delivery);
  const isTried = ["delivered", "failed"].includes(delivery.state) || isBetweenAttempts(delivery);
  return {
    endpointId: endpoint.id,
    host: hostLabel(endpoint.url),
    kind: delivery.kind,
    isTest: delivery.is_test === 1,
    state: delivery.state,
    time: timeOf(delivery.happened_at),
    next:
      delivery.next_attempt_at === null
        ? undefined
        : timeOf(Math.max(delivery.next_attempt_at, endpoint.paused?.until ?? 0)),
    canSend: isTried && delivery.is_test === 0 && body.kind === "sent" && endpoint.offReason === undefined,
    body: body.kind === "sent" ? JSON.stringify(JSON.parse(body.text), undefined, 2) : undefined,
    attempts: attempts.map(({ startedAt, signature, durationMs, ...attempt }) => ({
      id: attempt.id,
      time: timeOf(startedAt),
      label: answerLabel(attempt),
      answer: attempt.answer,
      duration: `${(durationMs / 1_000).toFixed(2)} s`,
      headers: Object.entries(
        requestHeaders({
          id: delivery.id,
          timestamp: Math.floor(startedAt / 1_000),
          signature,
          baseUrl: all.config.baseUrl,
        }),
      ).map(([name, value]) => `${name}: ${value}`),
    })),
  };
}

function isBetweenAttempts({ state, attempts }: { state: string; attempts: number }): boolean {
  return state === "waiting" && attempts > 0;
}

export async function action(args: Route.ActionArgs) {
  return intentAction(args, {
    resend: async (sent) => {
      const { ownerId, id: endpointId } = await openChange(sent, webhookLimits.redeliveries);
      const one = { ownerId, endpointId, now: sent.all.clock(), id: sent.params.delivery };
      const { count } = await redeliver(sent.all.db, one);
      return redirectWithToast(
        sent.url.pathname,
        count > 0 ? { title: "Sent again in a moment", tone: "success" } : { title: "It can’t be sent", tone: "error" },
      );
    },
  });
}

export function meta() {
  return [{ title: "Message of a webhook | Meishi" }];
}

export default function DeliveryPage({ loaderData }: Route.ComponentProps) {
  const { endpointId, host, kind, isTest, state, time, next, canSend, body, attempts } = loaderData;
  return (
    <Page
      width="form"
      title={isTest ? `${kind} (test)` : kind}
      back={<BackLink to={`/webhooks/${endpointId}`}>{host}</BackLink>}
      intro={
        <p className="flex flex-wrap items-baseline gap-x-3 text-muted">
          <StateBadge state={state} /> {time}
          {next && ` · next attempt ${next}`}
        </p>
      }
    >
      {canSend && (
        <form method="post">
          <Button type="submit" size="s" name="intent" value="resend">
            {state === "waiting" ? "Send now" : "Send again"}
          </Button>
        </form>
      )}
      <Panel title="Attempts" aside={String(attempts.length)}>
        {attempts.length === 0 && <p className="text-muted">None yet.</p>}
        {kind === "consent.withdrawn" && !isTest && (
          <p className="mb-3 text-sm text-muted">
            Answers aren’t stored for this event: they may repeat what the visitor has taken back.
          </p>
        )}
        <ol className="grid gap-6">
          {attempts.map(({ id, time: startedAt, label, answer, duration, headers }) => (
            <li key={id} className="grid gap-2">
              <p className="flex flex-wrap items-baseline justify-between gap-x-4">
                <span className="font-medium">{label}</span>
                <span className="text-sm text-muted">
                  {startedAt} · {duration}
                </span>
              </p>
              {answer && <Code>{answer}</Code>}
              <details>
                <summary className="min-h-11 cursor-pointer py-3 text-sm text-muted hover:text-text">
                  Request headers
                </summary>
                <Code>{headers.join("\n")}</Code>
              </details>
            </li>
          ))}
        </ol>
      </Panel>
      <Panel title="Body">
        {body === undefined ? (
          <p className="text-muted">
            This lead isn’t sent: it was withdrawn, erased or deleted, or its visitor agreed to a text that names no
            services.
          </p>
        ) : (
          <>
            <Code>{body}</Code>
            <p className="mt-3 text-sm text-muted">Sent without these line breaks.</p>
          </>
        )}
      </Panel>
    </Page>
  );
}

function Code({ children }: { children: string }) {
  return (
    <pre
      dir="ltr"
      translate="no"
      className="mt-1 rounded-control bg-higher p-4 font-mono text-sm whitespace-pre-wrap wrap-anywhere"
    >
      {children}
    </pre>
  );
}
