import { data } from "react-router";

import {
  addIntegration,
  findIntegration,
  listIntegrations,
  saveSettings,
} from "#app/features/integrations/data.server.ts";
import { createSend, toFailure } from "#app/features/integrations/destination-request.server.ts";
import { findDestination } from "#app/features/integrations/destinations.server.ts";
import { findAccess } from "#app/features/integrations/oauth-request.server.ts";
import { integrationMessages as messages } from "#app/features/integrations/messages.ts";
import { integrationLimits, maxFieldLength, maxIntegrations } from "#app/features/integrations/rules.ts";
import { scheduleIntegration } from "#app/features/integrations/send-tasks.server.ts";
import { checkSettings } from "#app/features/integrations/settings-form.ts";
import { throwNotFound } from "#app/features/shell/shell.server.ts";
import { isFresh, proveOnOpening, takeTyped } from "#app/services/auth/reauthentication/reauthentication.server.ts";
import { fieldText } from "#app/services/base/form-fields.ts";
import { formAction } from "#app/services/forms/form-action.server.ts";
import type { ActionArgs } from "#app/services/forms/form-action.server.ts";
import { requireUser, services } from "#app/services/http/context.ts";
import type { Services } from "#app/services/http/context.ts";
import { redirectWithToast } from "#app/services/http/toast.server.ts";
import { BackLink } from "#app/ui/components/back-link.tsx";
import { Button } from "#app/ui/components/button.tsx";
import { Notice } from "#app/ui/components/notice.tsx";
import { Page } from "#app/ui/components/page.tsx";
import { ConfirmedNotice } from "#app/ui/forms/confirmed-notice.tsx";
import { Field } from "#app/ui/forms/field.tsx";

import type { Route } from "./+types/edit-page.ts";

export const middleware: Route.MiddlewareFunction[] = [proveOnOpening];

type PageArgs = Pick<ActionArgs<{ kind: string } | { id: string }>, "params" | "context" | "url">;

/** The service of the page's address, and the integration if there is one. Throws a 404. */
async function openPage(all: Services, { params, context, url }: PageArgs) {
  const ownerId = requireUser(context).id;
  const integration = "id" in params ? await findIntegration(all, { ownerId, id: params.id }) : undefined;
  const destination = "id" in params ? integration?.destination : findDestination(params.kind);
  if (!destination) throwNotFound(context, url);
  return { ownerId, integration, destination };
}

export async function loader({ params, context, request, url }: Route.LoaderArgs) {
  const all = services(context);
  const { ownerId, integration, destination } = await openPage(all, { params, context, url });
  const { fields: typed, headers } = takeTyped(context, { request, url });
  const { kind, name, about, audience, fields, oauth } = destination;
  // Secrets are entered again with each change.
  const shown = fields.map((field) => [field.name, field.isSecret ? "" : (integration?.settings?.[field.name] ?? "")]);
  const isFull = !integration && (await listIntegrations(all, ownerId)).length >= maxIntegrations;
  return data(
    {
      id: integration?.id,
      kind,
      name,
      about,
      audience,
      fields,
      /** Where the owner agrees, instead of a form. */
      consent: oauth && { isPossible: findAccess(all, destination) !== undefined },
      account: oauth && integration?.settings ? destination.target(integration.settings) : "",
      values: typed ?? Object.fromEntries(shown),
      isFull,
      isConfirmed: typed !== undefined && isFresh(context),
    },
    { headers },
  );
}

export async function action(args: Route.ActionArgs) {
  const { ownerId, integration, destination } = await openPage(services(args.context), args);
  if (destination.oauth) throwNotFound(args.context, args.url);
  return formAction(args, {
    read: (form): Record<string, string> =>
      Object.fromEntries(destination.fields.map(({ name }) => [name, fieldText(form, name).trim()])),
    check: (values, { all }) => checkSettings(destination, values, all.isSendable),
    // Where details of visitors go is as sensitive as exporting them.
    prove: (_, values) => ({ path: args.url.pathname, fields: values }),
    limit: { of: integrationLimits.changes, problem: (wait) => `Too many changes. Try again ${wait}.` },
    run: async ({ settings }, { all, origin, refuse }) => {
      let place = "";
      try {
        place = await destination.test({ settings, send: createSend(all) });
      } catch (error) {
        return refuse({ problem: `${destination.name} doesn’t accept this. ${toFailure(error).explanation()}` });
      }
      const change = { ownerId, destination, settings: { ...settings, place }, origin };
      if (integration) {
        await saveSettings(all, { ...change, id: integration.id });
        await scheduleIntegration(all, integration.id);
        return redirectWithToast(`/integrations/${integration.id}`, { title: "Saved", tone: "success" });
      }
      const id = await addIntegration(all, change);
      if (id === undefined) return refuse({ problem: messages.full }, 409);
      const text = "Your leads are sent within a minute.";
      return redirectWithToast(`/integrations/${id}`, { title: "Connected", text, tone: "success" });
    },
  });
}

export function meta({ loaderData }: Route.MetaArgs) {
  return [{ title: `${loaderData?.name ?? "Integration"} | Meishi` }];
}

export default function EditPage({ loaderData, actionData }: Route.ComponentProps) {
  const { id, kind, name, about, fields, consent, isFull, isConfirmed } = loaderData;
  const button = consent ? `Continue to ${name}` : id ? "Save" : "Connect";
  const values: Partial<Record<string, string>> = actionData?.values ?? loaderData.values;
  const errors: Partial<Record<string, string>> = actionData?.errors ?? {};
  const toField = (field: (typeof fields)[number]) => (
    <SettingField key={field.name} {...field} value={values[field.name] ?? ""} error={errors[field.name]} />
  );
  const mappings = fields.filter(({ isMapping }) => isMapping);
  const back = <BackLink to={id ? `/integrations/${id}` : "/integrations"}>{id ? name : "Integrations"}</BackLink>;
  const problem = isFull ? messages.full : consent && !consent.isPossible ? messages.notSetUp(name) : undefined;
  return (
    <Page width="form" title={name} intro={about} back={back}>
      {actionData?.problem && <Notice tone="error" title={actionData.problem} />}
      {isConfirmed && !actionData && !problem && <ConfirmedNotice button={button} />}
      {problem ? (
        <Notice title={problem} />
      ) : (
        <form
          method="post"
          {...(consent && { action: `/integrations/access/${kind}` })}
          noValidate
          className="grid gap-6 rounded-card border border-line bg-raised p-5 sm:p-6.5"
        >
          {fields.filter(({ isMapping }) => !isMapping).map(toField)}
          {mappings.length > 0 && (
            <details open={mappings.some(({ name: field }) => values[field] || errors[field])}>
              <summary className="w-fit cursor-pointer font-medium">More details, and the fields they go to</summary>
              <p className="mt-2 mb-5 text-sm text-muted">{mappings[0]?.hint}.</p>
              <div className="grid gap-6">{mappings.map((field) => toField({ ...field, hint: "" }))}</div>
            </details>
          )}
          <WhatIsSent {...loaderData} />
          <Button variant="main" type="submit" className="sm:justify-self-start">
            {button}
          </Button>
        </form>
      )}
    </Page>
  );
}

function WhatIsSent({ name, audience, consent, account }: Route.ComponentProps["loaderData"]) {
  return (
    <>
      {consent && (
        <p className="text-sm">
          {account &&
            `This is connected as ${account}. Choose that account again: another one becomes a connection of its own. `}
          {name} asks whether we may change your contacts. Only contacts that come from your leads are added, changed
          and deleted; your other ones stay as they are.
        </p>
      )}
      <p className="text-sm text-muted">
        {audience === "newsletter"
          ? "Only contacts who agreed to news by email are sent. "
          : "Names, companies, addresses and numbers of your leads are sent. "}
        Your forms then say that details also go to colleagues and services. Leads whose visitors agreed to an earlier
        text aren’t sent.
      </p>
    </>
  );
}

type SettingFieldProps = Route.ComponentProps["loaderData"]["fields"][number] & {
  value: string;
  error: string | undefined;
};

function SettingField({ name, label, hint, isSecret, isAddress, value, error }: SettingFieldProps) {
  return (
    <Field
      label={label}
      name={name}
      type={isSecret ? "password" : "text"}
      inputMode={isAddress ? "url" : "text"}
      autoComplete="off"
      dir="ltr"
      limit={{ max: maxFieldLength }}
      defaultValue={value}
      {...(hint && { hint })}
      {...(error && { error })}
    />
  );
}
