import { data } from "react-router";

import { Page } from "#app/ui/components/page.tsx";
import { Notice } from "#app/ui/components/notice.tsx";
import { ConfirmedNotice } from "#app/ui/forms/confirmed-notice.tsx";
import { isFresh, proveOnOpening, takeTyped } from "#app/services/auth/reauthentication/reauthentication.server.ts";
import { CopyField } from "#app/features/sharing/copy-button.tsx";
import { throwNotFound } from "#app/features/shell/shell.server.ts";
import {
  addEndpoint,
  findEndpoint,
  listEndpoints,
  saveEndpoint,
  showSecret,
} from "#app/features/webhooks/data.server.ts";
import { checkEndpoint } from "#app/features/webhooks/endpoint-form.ts";
import type { EndpointValues } from "#app/features/webhooks/endpoint-form.ts";
import { webhookMessages as messages } from "#app/features/webhooks/messages.ts";
import { maxEndpoints, maxUrlLength, webhookKinds, webhookLimits } from "#app/features/webhooks/rules.ts";
import type { FormFields } from "#app/services/base/form-fields.ts";
import { formAction } from "#app/services/forms/form-action.server.ts";
import { requireUser, services } from "#app/services/http/context.ts";
import { redirectWithToast } from "#app/services/http/toast.server.ts";
import { BackLink } from "#app/ui/components/back-link.tsx";
import { Button, ButtonLink } from "#app/ui/components/button.tsx";
import { Panel } from "#app/ui/components/panel.tsx";
import { CheckboxField } from "#app/ui/forms/checkbox-field.tsx";
import { Field, FieldError } from "#app/ui/forms/field.tsx";

import type { Route } from "./+types/edit-page.ts";
import { SignatureHint } from "./endpoint-panels.tsx";

export const middleware: Route.MiddlewareFunction[] = [proveOnOpening];

export async function loader({ params, context, request, url }: Route.LoaderArgs) {
  const all = services(context);
  const ownerId = requireUser(context).id;
  const id = "id" in params ? params.id : undefined;
  const known = id === undefined ? undefined : await findEndpoint(all, { ownerId, id });
  if (id !== undefined && !known) throwNotFound(context, url);
  const { fields, headers } = takeTyped(context, { request, url });
  const typed = fields && readEndpointForm(new URLSearchParams(fields));
  const count = id === undefined ? (await listEndpoints(all, ownerId)).length : 0;
  const start: EndpointValues = known
    ? { url: known.url ?? "", kinds: known.kinds }
    : { url: "", kinds: ["lead.created", "consent.withdrawn"] };
  const { url: address, kinds } = typed ?? start;
  const isConfirmed = typed !== undefined && isFresh(context);
  return data({ id, values: { url: address, kinds }, isFull: count >= maxEndpoints, isConfirmed }, { headers });
}

export async function action(args: Route.ActionArgs) {
  const id = "id" in args.params ? args.params.id : undefined;
  return formAction(args, {
    read: readEndpointForm,
    check: (values, { all }) => checkEndpoint(values, all.isSendable),
    // Where details of visitors go is as sensitive as exporting them.
    prove: (checked) => ({ path: args.url.pathname, fields: endpointFields(checked) }),
    limit: { of: webhookLimits.changes, problem: (wait) => `Too many changes. Try again ${wait}.` },
    run: async (checked, { all, ownerId, origin, context, url, refuse }) => {
      if (id !== undefined) {
        if (!(await saveEndpoint(all, { ownerId, id, origin, ...checked }))) throwNotFound(context, url);
        return redirectWithToast(`/webhooks/${id}`, { title: "Saved", tone: "success" });
      }
      const added = await addEndpoint(all, { ownerId, origin, ...checked });
      if (added === undefined) return refuse({ problem: messages.full }, 409);
      return { secret: (await showSecret(all, { ownerId, id: added, origin })) ?? "", added };
    },
  });
}

export function meta() {
  return [{ title: "Webhook | Meishi" }];
}

export default function EditPage({ loaderData, actionData }: Route.ComponentProps) {
  if (actionData && "secret" in actionData) return <Added {...actionData} />;
  const { id, isFull, isConfirmed } = loaderData;
  const button = id ? "Save" : "Add webhook";
  const { url, kinds } = actionData?.values ?? loaderData.values;
  const errors = actionData?.errors ?? {};
  return (
    <Page
      width="form"
      title={id ? "Edit webhook" : "Add webhook"}
      back={<BackLink to={id ? `/webhooks/${id}` : "/webhooks"}>{id ? "Webhook" : "Webhooks"}</BackLink>}
    >
      {actionData?.problem && <Notice tone="error" title={actionData.problem} />}
      {isConfirmed && !actionData && !isFull && <ConfirmedNotice button={button} />}
      {isFull ? (
        <Notice title={messages.full} />
      ) : (
        <form method="post" noValidate className="grid gap-6 rounded-card border border-line bg-raised p-5 sm:p-6.5">
          <Field
            label="Address"
            name="url"
            inputMode="url"
            autoComplete="off"
            dir="ltr"
            limit={{ max: maxUrlLength }}
            defaultValue={url}
            placeholder="https://example.com/webhooks"
            hint="Of your server, with https. Redirects aren’t followed."
            {...(errors.url && { error: errors.url })}
          />
          <fieldset className="grid" aria-describedby={errors.kinds ? "kinds-error" : undefined}>
            <legend className="mb-1 text-sm font-medium">Send when</legend>
            {webhookKinds.map((kind) => (
              <CheckboxField
                key={kind}
                name={kind}
                label={messages.kinds[kind]}
                hint={messages.kindHints[kind] || undefined}
                defaultChecked={kinds.includes(kind)}
              />
            ))}
            {errors.kinds && <FieldError id="kinds">{errors.kinds}</FieldError>}
          </fieldset>
          <p className="text-sm text-muted">
            With leads, you send details of visitors to this address. Your forms then say that details also go to
            colleagues and services. Leads whose visitors agreed to an earlier text aren’t sent.
          </p>
          <Button variant="main" type="submit" className="sm:justify-self-start">
            {button}
          </Button>
        </form>
      )}
    </Page>
  );
}

function Added({ secret, added }: { secret: string; added: string }) {
  return (
    <Page width="form" title="Webhook added">
      <Panel title="Signing secret">
        <SignatureHint />
        <CopyField label="Secret" value={secret} button="Copy secret" />
        <p className="mt-4 text-sm text-muted">
          Store it like a password. You can see it again later after confirming it’s you.
        </p>
      </Panel>
      <ButtonLink variant="main" href={`/webhooks/${added}`} className="justify-self-start">
        Continue
      </ButtonLink>
    </Page>
  );
}

/** Each event has a checkbox of its own name. */
function readEndpointForm(form: Pick<FormFields, "get" | "has">): EndpointValues {
  const url = form.get("url");
  return {
    url: typeof url === "string" ? url.trim() : "",
    kinds: webhookKinds.filter((kind) => form.has(kind)),
  };
}

/** The values as the form sends them. */
function endpointFields({ url, kinds }: EndpointValues): Record<string, string> {
  return { url, ...Object.fromEntries(kinds.map((kind) => [kind, "on"])) };
}
