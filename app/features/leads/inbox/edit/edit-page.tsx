import { useRef, useState } from "react";
import { Form, useNavigation } from "react-router";

import { leadTitle } from "#app/features/leads/inbox-rules.ts";
import { leadPath, listQuery } from "#app/features/leads/inbox/filter-schema.ts";
import { findInboxLead } from "#app/features/leads/inbox/lead-data.server.ts";
import { leadMessages } from "#app/features/leads/messages.ts";
import { maxContactMethods, maxLengths } from "#app/features/leads/rules.ts";
import { throwNotFound } from "#app/features/shell/shell.server.ts";
import { fieldText } from "#app/services/base/form-fields.ts";
import { formatList } from "#app/services/base/format.ts";
import type { FormFields } from "#app/services/base/form-fields.ts";
import { formAction } from "#app/services/forms/form-action.server.ts";
import type { RefusedForm } from "#app/services/forms/form-action.server.ts";
import { requireUser, services } from "#app/services/http/context.ts";
import { redirectWithToast } from "#app/services/http/toast.server.ts";
import { Page } from "#app/ui/components/page.tsx";
import { BackLink } from "#app/ui/components/back-link.tsx";
import { Button, ButtonLink, IconButton } from "#app/ui/components/button.tsx";
import { Icon } from "#app/ui/components/icon.tsx";
import { Notice } from "#app/ui/components/notice.tsx";
import { Panel } from "#app/ui/components/panel.tsx";
import { Field } from "#app/ui/forms/field.tsx";
import { useFocusFirstError } from "#app/ui/forms/field-focus.ts";
import { LeaveGuard } from "#app/ui/forms/leave-guard.tsx";
import { parseBase } from "#app/ui/forms/merge-values.ts";
import { rejectInPlace } from "#app/ui/forms/submit-in-place.ts";

import type { Route } from "./+types/edit-page.ts";
import { saveDetails } from "./details-data.server.ts";
import { checkDetails, readTypedDetails, textNames, toOwnDetails } from "./details-rules.ts";
import type { DetailErrors, ListName, OwnDetails } from "./details-rules.ts";
import { isInPerson, notSavedTexts } from "#app/features/leads/inbox/messages.ts";

export async function loader({ params, context, url }: Route.LoaderArgs) {
  const { db } = services(context);
  const found = await findInboxLead(db, { ownerId: requireUser(context).id, id: params.id });
  if (!found || found.lead.withdrawnAt !== null) throwNotFound(context, url);
  const { lead } = found;
  return {
    id: lead.id,
    title: leadTitle(lead),
    isInPerson: isInPerson(lead.source),
    details: toOwnDetails(lead),
    path: leadPath(lead.id, listQuery(url.searchParams.get("list"))),
  };
}

export async function action(args: Route.ActionArgs) {
  return formAction(args, {
    read: readSent,
    check: checkDetails,
    run: async ({ details }, { all, ownerId, params, context, url, values, refuse }) => {
      // Where a form has a base that can't be read, every difference is asked about.
      const base = values.base === "" ? undefined : (parseBase(values.base) ?? null);
      const result = await saveDetails(all.db, { ownerId, id: params.id, details, base });
      if (result.kind === "gone") throwNotFound(context, url);
      if (result.kind === "conflict")
        return refuse(
          { problem: conflictText(result.names), values: { ...values, base: JSON.stringify(result.stored) } },
          409,
        );
      const path = leadPath(params.id, listQuery(url.searchParams.get("list")));
      return redirectWithToast(path, { title: "Saved", tone: "success" });
    },
    failure: { event: "lead not saved", unexpected: notSavedTexts.failed },
  });
}

type Rejection = RefusedForm<ReturnType<typeof readSent>, string>;

export async function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  return rejectInPlace<Rejection>({ request, serverAction }, (form, failure) => ({
    values: readSent(form),
    errors: {},
    problem: notSavedTexts[failure],
  }));
}

/** What was typed, and what the form was opened with. */
function readSent(form: FormFields) {
  return { ...readTypedDetails(form), base: fieldText(form, "base") };
}

function conflictText(names: readonly string[]): string {
  const labels = names.map((name) => conflictLabels[name] ?? name);
  return `Also changed in another window: ${formatList(labels)}. Save again to replace that with what you see here.`;
}

const conflictLabels: Partial<Record<string, string>> = { ...leadMessages.labels, emails: "Email", phones: "Phone" };

export function meta({ loaderData }: Route.MetaArgs) {
  return [{ title: `Edit ${loaderData?.title ?? "lead"} | Meishi` }];
}

export default function EditPage({ loaderData, actionData }: Route.ComponentProps) {
  const { title, details, isInPerson, path } = loaderData;
  const isBusy = useNavigation().formData !== undefined;
  const values = actionData?.values ?? details;
  const errors: DetailErrors = actionData?.errors ?? {};
  const problem = actionData?.problem ?? (Object.keys(errors).length > 0 ? "Fix the highlighted fields." : undefined);
  const [isChanged, setChanged] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  useFocusFirstError(form, actionData);
  return (
    <Page
      width="form"
      title="Edit lead"
      back={<BackLink to={path}>{title}</BackLink>}
      intro={
        <>
          Your inbox, search and exports use these details. What {isInPerson ? "you first saved" : "they sent"} stays
          stored as proof.
        </>
      }
    >
      <Panel title="Details">
        <Form
          ref={form}
          method="post"
          noValidate
          preventScrollReset
          onChange={() => setChanged(true)}
          className="grid gap-5"
        >
          {problem && (
            <Notice tone="error" title="Not saved">
              {problem}
            </Notice>
          )}
          <input
            type="hidden"
            name="base"
            value={actionData?.values.base ?? JSON.stringify(details)}
            autoComplete="off"
          />
          {textNames.slice(0, 3).map((name) => (
            <TextField key={name} name={name} value={values[name]} error={errors[name]} />
          ))}
          <ContactList list="emails" values={values.emails} errors={errors} onRemove={() => setChanged(true)} />
          <ContactList list="phones" values={values.phones} errors={errors} onRemove={() => setChanged(true)} />
          <TextField name="website" value={values.website} error={errors["website"]} />
          <div className="flex flex-wrap gap-2.5 max-sm:*:grow">
            <Button type="submit" variant="main" aria-disabled={isBusy}>
              {isBusy ? "Saving..." : "Save"}
            </Button>
            <ButtonLink href={path}>Cancel</ButtonLink>
          </div>
        </Form>
      </Panel>
      <LeaveGuard
        isDirty={isChanged || actionData !== undefined}
        isSaving={isBusy}
        text={leaveText}
        backText={leaveText}
        backTo={path}
      />
    </Page>
  );
}

const leaveText = "Your changes to this lead will be lost.";

type TextFieldProps = { name: Exclude<keyof OwnDetails, ListName>; value: string; error: string | undefined };

function TextField({ name, value, error }: TextFieldProps) {
  return (
    <Field
      label={leadMessages.labels[name]}
      name={name}
      type={name === "website" ? "url" : "text"}
      defaultValue={value}
      autoComplete="off"
      dir="auto"
      limit={{ max: maxLengths[name] }}
      {...(error && { error })}
    />
  );
}

type ContactListProps = { list: ListName; values: readonly string[]; errors: DetailErrors; onRemove: () => void };

/** The email addresses or phone numbers, the main one first. Without script there is one empty field more, and saving drops empty ones. */
function ContactList({ list, values, errors, onRemove }: ContactListProps) {
  const { one, add, input } = listTexts[list];
  const [seen, setSeen] = useState(values);
  const [rows, setRows] = useState(() => toRows(values));
  if (seen !== values) {
    setSeen(values);
    setRows(toRows(values));
  }
  const addButton = useRef<HTMLButtonElement>(null);
  const remove = (row: Row) => {
    setRows(rows.filter(({ id }) => id !== row.id));
    onRemove();
    addButton.current?.focus();
  };
  const fieldAt = (index: number) => ({ ...input, name: `${list}.${index}`, autoComplete: "off", dir: "ltr" });
  return (
    <fieldset className="grid gap-3">
      <legend className="sr-only">{`${one}s`}</legend>
      {rows.map((row, index) => {
        const label = index === 0 ? one : `${one} ${index + 1}`;
        const error = errors[`${list}.${index}`];
        const aside = (
          <IconButton label={`Remove ${label}`} className="-my-3 -me-3" onClick={() => remove(row)}>
            <Icon name="close" size={16} />
          </IconButton>
        );
        return (
          <Field
            key={row.id}
            {...fieldAt(index)}
            label={label}
            defaultValue={row.value}
            autoFocus={row.isNew}
            aside={<span className="noscript:hidden">{aside}</span>}
            {...(error && { error })}
          />
        );
      })}
      {rows.length < maxContactMethods && (
        <>
          <noscript>
            <Field {...fieldAt(rows.length)} label={`${one} ${rows.length + 1}`} />
          </noscript>
          <Button
            ref={addButton}
            size="s"
            className="justify-self-start noscript:hidden"
            onClick={() => setRows([...rows, { id: nextId(rows), value: "", isNew: true }])}
          >
            {add}
          </Button>
        </>
      )}
    </fieldset>
  );
}

type Row = { id: number; value: string; isNew: boolean };

function toRows(values: readonly string[]): Row[] {
  return (values.length > 0 ? values : [""]).map((value, id) => ({ id, value, isNew: false }));
}

function nextId(rows: readonly Row[]): number {
  return Math.max(-1, ...rows.map(({ id }) => id)) + 1;
}

const listTexts = {
  emails: { one: "Email", add: "Add email", input: { type: "email", autoCapitalize: "none", spellCheck: false } },
  phones: { one: "Phone", add: "Add phone", input: { type: "tel" } },
} as const;
