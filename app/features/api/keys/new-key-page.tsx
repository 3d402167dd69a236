import { data } from "react-router";

import { createOwnKey } from "#app/features/api/keys/owner-key-data.server.ts";
import { CopyField } from "#app/features/sharing/copy-button.tsx";
import { listKeys } from "#app/services/api/key-data.server.ts";
import { isFresh, proveOnOpening, takeTyped } from "#app/services/auth/reauthentication/reauthentication.server.ts";
import { formAction } from "#app/services/forms/form-action.server.ts";
import { requireUser, services } from "#app/services/http/context.ts";
import { redirectWithToast } from "#app/services/http/toast.server.ts";
import { Page } from "#app/ui/components/page.tsx";
import { BackLink } from "#app/ui/components/back-link.tsx";
import { Button, ButtonLink } from "#app/ui/components/button.tsx";
import { Notice } from "#app/ui/components/notice.tsx";
import { Panel } from "#app/ui/components/panel.tsx";
import { Checkbox } from "#app/ui/forms/checkbox-field.tsx";
import { ChoiceField } from "#app/ui/forms/choice-field.tsx";
import { ConfirmedNotice } from "#app/ui/forms/confirmed-notice.tsx";
import { Field, FieldError } from "#app/ui/forms/field.tsx";
import { SelectField } from "#app/ui/forms/select-field.tsx";

import type { Route } from "./+types/new-key-page.ts";
import { checkKeyForm, keyFields, newKeyValues, readKeyForm } from "./key-form.ts";
import type { KeyErrors, KeyValues } from "./key-form.ts";
import { keyMessages as messages } from "./key-messages.ts";
import { accesses, areas, createLimit, expiries, keyStateOf, maxKeys, maxNameLength } from "./key-rules.ts";

export const middleware: Route.MiddlewareFunction[] = [proveOnOpening];

export async function loader({ context, request, url }: Route.LoaderArgs) {
  const { db, clock } = services(context);
  const { fields, headers } = takeTyped(context, { request, url });
  const keys = await listKeys(db, requireUser(context).id);
  const isFull = keys.filter((key) => keyStateOf(key, clock()) === "works").length >= maxKeys;
  const values = fields ? readKeyForm(new URLSearchParams(fields)) : newKeyValues;
  return data({ values, isFull, isConfirmed: fields !== undefined && isFresh(context) }, { headers });
}

export async function action(args: Route.ActionArgs) {
  return formAction(args, {
    read: readKeyForm,
    check: checkKeyForm,
    // A key outlives the session, and a new password doesn't end it.
    prove: (_, values) => ({ path: args.url.pathname, fields: keyFields(values) }),
    limit: { of: createLimit, problem: (wait) => `Too many keys. Try again ${wait}.` },
    run: async (checked, { all, ownerId, origin, refuse }) => {
      const created = await createOwnKey(all, { ...checked, ownerId, origin });
      if (created.kind === "too-many") return refuse({ problem: messages.full }, 409);
      if (created.kind === "gone") return redirectWithToast("/auth", { title: "Nothing was created", tone: "error" });
      return { secret: created.key };
    },
  });
}

/** The new key is shown once: nothing may store it. */
export function headers({ actionHeaders }: Route.HeadersArgs) {
  return { ...Object.fromEntries(actionHeaders), "cache-control": "no-store" };
}

export function meta() {
  return [{ title: "New API key | Meishi" }];
}

const createLabel = "Create API key";

export default function NewKeyPage({ loaderData, actionData }: Route.ComponentProps) {
  if (actionData && "secret" in actionData) return <CreatedKey {...actionData} />;
  const { isFull, isConfirmed } = loaderData;
  const { values = loaderData.values, errors = {}, problem } = actionData ?? {};
  return (
    <Page width="form" title="New API key" back={<BackLink to="/account/api-keys">API keys</BackLink>}>
      {problem && <Notice tone="error" title={problem} />}
      {isConfirmed && !actionData && !isFull && <ConfirmedNotice button={createLabel} />}
      {isFull ? !problem && <Notice title={messages.full} /> : <KeyForm values={values} errors={errors} />}
    </Page>
  );
}

function KeyForm({ values, errors }: { values: KeyValues; errors: KeyErrors }) {
  return (
    <form
      method="post"
      noValidate
      className="group/form grid grid-cols-1 gap-6 rounded-card border border-line bg-raised p-5 sm:p-6.5"
    >
      <Field
        label="Name"
        name="name"
        autoComplete="off"
        limit={{ max: maxNameLength }}
        defaultValue={values.name}
        hint="For your list, such as the program that uses the key."
        error={errors.name}
      />
      <ChoiceField
        label="What may it do?"
        name="access"
        options={accesses.map((id) => ({ id, label: messages.access[id] }))}
        value={values.access}
      />
      <fieldset
        className="hidden group-has-[input[value=choose]:checked]/form:grid"
        aria-describedby={errors.scopes ? "scopes-error" : undefined}
      >
        <legend className="mb-1 text-sm font-medium">Permissions</legend>
        {areas.map(({ area, read, write }) => (
          <div key={area} className={areaClass}>
            <span className="max-[359px]:col-span-2 max-[359px]:pt-2">{messages.areas[area]}</span>
            <ScopeBox scope={read} label="Read" area={area} values={values} />
            <ScopeBox scope={write} label="Change" area={area} values={values} />
          </div>
        ))}
        <div className="mt-2 empty:hidden">{errors.scopes && <FieldError id="scopes">{errors.scopes}</FieldError>}</div>
      </fieldset>
      <SelectField
        id="expiry"
        label="Expires"
        name="expiry"
        value={values.expiry}
        options={expiries.map((days) => [days, messages.expiries[days]] as const)}
      />
      <p className="text-sm text-muted">Leads have details of your visitors. Give a key only what its program needs.</p>
      <Button variant="main" type="submit" className="sm:justify-self-start">
        {createLabel}
      </Button>
    </form>
  );
}

const areaClass =
  "grid grid-cols-[minmax(0,1fr)_6rem_6rem] items-center gap-x-2 border-b border-line max-[359px]:grid-cols-2";

type ScopeBoxProps = {
  scope: KeyValues["scopes"][number] | undefined;
  label: string;
  area: string;
  values: KeyValues;
};

/** Nothing, where an area can't be changed. */
function ScopeBox({ scope, label, area, values }: ScopeBoxProps) {
  if (!scope) return null;
  return (
    <label className="flex min-h-11 items-center gap-2.5">
      <Checkbox name={scope} defaultChecked={values.scopes.includes(scope)} />
      <span>
        {label}
        <span className="sr-only"> {messages.areas[area]}</span>
      </span>
    </label>
  );
}

function CreatedKey({ secret }: { secret: string }) {
  return (
    <Page width="form" title="API key created">
      <Panel title="Your new key">
        <div className="grid gap-4">
          <Notice tone="warning" title="Copy the key now. It isn't shown again.">
            Store it like a password. Anyone who has it can use it.
          </Notice>
          <CopyField label="API key" value={secret} button="Copy key" />
        </div>
      </Panel>
      <ButtonLink variant="main" href="/account/api-keys" className="justify-self-start">
        Continue
      </ButtonLink>
    </Page>
  );
}
