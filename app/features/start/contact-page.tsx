import { useRef, useState } from "react";
import { data } from "react-router";

import { signedInPath } from "#app/services/auth/return-to.ts";
import { maxLengths } from "#app/features/cards/card-fields.ts";
import { loadOwnProfile } from "#app/features/profile/own-profile.server.ts";
import { publicName } from "#app/features/profile/rules.ts";
import { avatarUrls } from "#app/features/uploads/image-urls.ts";
import { allowInlineStyle, requireUser, services } from "#app/services/http/context.ts";
import { Button } from "#app/ui/components/button.tsx";
import { useValuesBeforeHydration } from "#app/ui/components/hydration.ts";
import { useFocusFirstError } from "#app/ui/forms/field-focus.ts";
import { Field } from "#app/ui/forms/field.tsx";
import { callServerAction } from "#app/ui/forms/submit-in-place.ts";

import type { Route } from "./+types/contact-page.ts";
import { draftDesign, findDraftCard, redirectAndClearDraftCard } from "./draft-card.server.ts";
import { failureMessages, messages } from "./messages.ts";
import { readContactForm } from "./schema.ts";
import { findStart, startCardStyle, startLinkId } from "./start-data.server.ts";
import { StartForm, StepButtons } from "./start-form.tsx";
import { StartShell } from "./start-shell.tsx";
import { saveContactStep } from "./step-response.server.ts";
import type { ContactResult } from "./step-response.server.ts";

export async function loader({ context, request }: Route.LoaderArgs) {
  const all = services(context);
  const owner = requireUser(context);
  const profile = await loadOwnProfile(context);
  const { step, card } = await findStart(all.db, profile);
  if (step === "done" && !card) throw await redirectAndClearDraftCard(context, signedInPath);
  const draft = await findDraftCard(context, request);
  const style = await startCardStyle(all, profile, card?.design ?? draftDesign(draft));
  allowInlineStyle(context, style.css);
  const own = {
    title: card?.profession || draft?.title || "",
    company: card?.company || draft?.company || "",
    email: card?.email || owner.email,
    phone: card?.phone ?? "",
    link: card?.links.find(({ id }) => id === startLinkId(owner.id))?.url ?? "",
  };
  return { values: own, displayName: publicName(profile.displayName), avatarKey: profile.avatarKey, style };
}

export function action({ context, request }: Route.ActionArgs) {
  return saveContactStep(context, request);
}

/** Keeps what was typed when the server can't be reached or the owner is signed out. */
export async function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  const form = await request.clone().formData();
  const response = await callServerAction(serverAction);
  if ("result" in response) return data<ContactResult>(response.result, { status: 422 });
  const { failure } = response;
  const notice = failure === "offline" || failure === "signed-out" ? messages[failure] : failureMessages.unexpected;
  return data<ContactResult>({ values: readContactForm(form), notice }, { status: 503 });
}

export default function ContactPage({ loaderData, actionData }: Route.ComponentProps) {
  const first = actionData?.values ?? loaderData.values;
  const [typed, setTyped] = useState(first);
  const form = useRef<HTMLFormElement>(null);
  const read = (fields: HTMLFormElement) => setTyped((now) => readContactForm(new FormData(fields)) ?? now);
  useValuesBeforeHydration(form, read);
  useFocusFirstError(form, actionData?.errors);
  const errors = actionData?.errors ?? {};
  return (
    <StartShell
      step={2}
      back="/start/name"
      title="How can people reach you?"
      lead="All fields are optional and appear on your public card. You can hide your email and phone later in the card editor."
      hasError={actionData !== undefined}
      card={toPreview(typed, loaderData)}
    >
      <StartForm ref={form} notice={actionData?.notice} onInput={({ currentTarget }) => read(currentTarget)}>
        <div className="grid gap-x-5 gap-y-6.5 sm:grid-cols-2">
          <ContactInput
            label="Profession / Title"
            name="title"
            {...{ first, errors }}
            autoComplete="organization-title"
            dir="auto"
          />
          <ContactInput label="Company" name="company" {...{ first, errors }} autoComplete="organization" dir="auto" />
        </div>
        <ContactInput label="Email" name="email" {...{ first, errors }} type="email" autoComplete="email" />
        <ContactInput label="Phone" name="phone" {...{ first, errors }} type="tel" autoComplete="tel" />
        <ContactInput
          label="Link"
          name="link"
          {...{ first, errors }}
          inputMode="url"
          autoComplete="url"
          autoCapitalize="none"
          placeholder="linkedin.com/in/you"
          hint="Your website, LinkedIn or GitHub. Just paste the link."
        />
        <StepButtons
          skip={
            <Button variant="plain" type="submit" name="intent" value="skip">
              Skip for now
            </Button>
          }
        />
      </StartForm>
    </StartShell>
  );
}

type Values = Route.ComponentProps["loaderData"]["values"];
type ContactInputProps = React.ComponentProps<typeof Field> & {
  name: keyof Values;
  first: Values;
  errors: Partial<Values>;
};

function ContactInput({ name, first, errors, ...field }: ContactInputProps) {
  return <Field name={name} defaultValue={first[name]} error={errors[name]} {...field} />;
}

function toPreview(
  { title, company, email, phone }: Values,
  { displayName, avatarKey, style }: Pick<Route.ComponentProps["loaderData"], "displayName" | "avatarKey" | "style">,
) {
  return {
    displayName,
    profession: title.slice(0, maxLengths.profession) || null,
    company: company.slice(0, maxLengths.company) || null,
    position: null,
    yearsExperience: null,
    email: email.slice(0, maxLengths.email) || null,
    phone: phone.slice(0, maxLengths.phone) || null,
    avatar: avatarUrls(avatarKey),
    style,
  };
}
