import { data } from "react-router";

import { requireFresh } from "#app/services/auth/reauthentication/reauthentication.server.ts";
import { CopyField } from "#app/features/sharing/copy-button.tsx";
import { throwNotFound } from "#app/features/shell/shell.server.ts";
import { findEndpoint, rotateSecret, showSecret } from "#app/features/webhooks/data.server.ts";
import { hostLabel, webhookMessages as messages } from "#app/features/webhooks/messages.ts";
import { webhookLimits } from "#app/features/webhooks/rules.ts";
import { intentAction, limitForm } from "#app/services/forms/form-action.server.ts";
import type { SentForm } from "#app/services/forms/form-action.server.ts";
import { requireUser, services } from "#app/services/http/context.ts";
import { Page } from "#app/ui/components/page.tsx";
import { BackLink } from "#app/ui/components/back-link.tsx";
import { Button } from "#app/ui/components/button.tsx";
import { Notice } from "#app/ui/components/notice.tsx";
import { Panel } from "#app/ui/components/panel.tsx";

import type { Route } from "./+types/secret-page.ts";
import { SignatureHint } from "./endpoint-panels.tsx";

export async function loader({ params, context, url }: Route.LoaderArgs) {
  requireFresh(context, url);
  const found = await findEndpoint(services(context), { ownerId: requireUser(context).id, id: params.id });
  if (!found) throwNotFound(context, url);
  return { id: found.id, host: hostLabel(found.url), hasSecret: found.hasSecret };
}

export async function action(args: Route.ActionArgs) {
  requireFresh(args.context, args.url);
  return intentAction(args, {
    show: (sent) => respondWith(showSecret, sent),
    rotate: (sent) => respondWith(rotateSecret, sent),
  });
}

async function respondWith(read: typeof showSecret, sent: SentForm<{ id: string }>) {
  const { all, ownerId, origin, context, url } = sent;
  const wait = await limitForm(sent, webhookLimits.changes);
  if (wait) return data({ secret: "", problem: `Try again ${wait}.` }, 429);
  const change = { ownerId, id: sent.params.id, origin };
  const secret = await read(all, change);
  if (secret === undefined && !(await findEndpoint(all, change))) throwNotFound(context, url);
  return data({ secret: secret ?? "", problem: "" });
}

export function meta() {
  return [{ title: "Secret of a webhook | Meishi" }];
}

export default function SecretPage({ loaderData: { id, host, hasSecret }, actionData }: Route.ComponentProps) {
  return (
    <Page width="form" title="Signing secret" back={<BackLink to={`/webhooks/${id}`}>{host}</BackLink>}>
      {actionData?.problem && (
        <Notice tone="error" title="Too many changes">
          {actionData.problem}
        </Notice>
      )}
      <Panel title="Secret">
        <SignatureHint />
        {actionData?.secret ? (
          <CopyField label="Secret" value={actionData.secret} button="Copy secret" />
        ) : !hasSecret ? (
          <Notice tone="error" title={messages.unreadable.title}>
            {messages.unreadable.secret}
          </Notice>
        ) : (
          <form method="post">
            <Button type="submit" size="s" name="intent" value="show">
              Show secret
            </Button>
          </form>
        )}
      </Panel>
      <Panel title="Rotate">
        <p className="mb-4 text-muted">
          Makes a new secret.{" "}
          {hasSecret &&
            "For 24 hours messages are signed with both, so you have time to change it on your server. If you rotate twice, the oldest ends at once."}
        </p>
        <form method="post">
          <Button type="submit" size="s" name="intent" value="rotate">
            Rotate secret
          </Button>
        </form>
      </Panel>
    </Page>
  );
}
