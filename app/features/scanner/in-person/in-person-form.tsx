import { useRef, useState } from "react";
import type { ReactNode, RefObject } from "react";
import { Form, useNavigation } from "react-router";

import { leadMessages } from "#app/features/leads/messages.ts";
import { maxLengths } from "#app/features/leads/rules.ts";
import { Button, ButtonLink } from "#app/ui/components/button.tsx";
import { Notice } from "#app/ui/components/notice.tsx";
import { CheckboxField } from "#app/ui/forms/checkbox-field.tsx";
import { Field, TextAreaField } from "#app/ui/forms/field.tsx";
import { useFocusFirstError } from "#app/ui/forms/field-focus.ts";
import { SelectField } from "#app/ui/forms/select-field.tsx";

import { personFields } from "./in-person-fields.ts";
import type { ContactConsent, ContactRejection, PersonField } from "./in-person-fields.ts";
import type { ContactFormData } from "./in-person-form.server.ts";
import { inPersonMessages as messages } from "#app/features/scanner/messages.ts";
import { EmptyState } from "#app/ui/components/panel.tsx";

type ContactFormProps = ContactFormData & {
  rejection: ContactRejection | undefined;
  formRef?: RefObject<HTMLFormElement | null>;
  /** What is shown below a field, by its name. */
  hints?: Partial<Record<PersonField, ReactNode>>;
  nextLabel: string;
  /** Whether leads come one after another: then saving leads to the next. */
  isNextMain?: boolean;
};

/** The form with which an owner adds someone who gave their details in person. Works without script. With another `key` it starts anew. */
export function ContactForm({ cards, ownTags, consent, formToken, values, rejection, ...props }: ContactFormProps) {
  const { hints = {}, nextLabel, isNextMain = false, formRef } = props;
  const isBusy = useNavigation().formData !== undefined;
  const { typed, errors = {}, notice } = rejection ?? {};
  const shown = typed ?? values;
  const [card, setCard] = useState(shown.card);
  // However often it is sent, the form creates one lead.
  const [ownToken] = useState(formToken);
  const ownRef = useRef<HTMLFormElement>(null);
  const form = formRef ?? ownRef;
  const shownConsent = rejection?.consent ?? consent;
  useFocusFirstError(form, rejection?.errors);
  return (
    <Form ref={form} method="post" noValidate preventScrollReset className="grid gap-5">
      {(notice || Object.keys(errors).length > 0) && (
        <Notice tone="error" title="Not saved">
          {notice ?? "Fix the highlighted fields and save again."}
        </Notice>
      )}
      <input type="hidden" name="formToken" value={rejection?.formToken ?? ownToken} autoComplete="off" />
      {personFields.map((name) => (
        <DetailField key={name} name={name} value={shown[name]} error={errors[name]} hint={hints[name]} />
      ))}
      <Field
        label="Tags"
        name="tags"
        list="own-tags"
        autoComplete="off"
        defaultValue={shown.tags}
        hint="Separated by commas. Only you see them."
        {...(errors.tags && { error: errors.tags })}
      />
      <datalist id="own-tags">
        {ownTags.map((tag) => (
          <option key={tag} value={tag} />
        ))}
      </datalist>
      {cards.length > 1 ? (
        <SelectField
          id="card"
          label="Your card"
          name="card"
          options={cards.map(({ id, name }) => [id, name])}
          value={card}
          error={errors.card}
          onChange={setCard}
        />
      ) : (
        <input type="hidden" name="card" value={cards[0]?.id ?? ""} />
      )}
      <ConsentField
        // Another text isn't confirmed yet.
        key={shownConsent.hash}
        consent={shownConsent}
        isChecked={shown.agreed === shownConsent.hash}
        error={errors.agreed}
      />
      <div className="flex flex-wrap gap-2.5 max-sm:*:grow">
        {(isNextMain ? (["next", "save"] as const) : (["save", "next"] as const)).map((intent, index) => (
          <Button
            key={intent}
            type="submit"
            name="intent"
            value={intent}
            aria-disabled={isBusy}
            {...(index === 0 && { variant: "main" })}
          >
            {isBusy && index === 0 ? "Saving..." : intent === "save" ? "Save lead" : nextLabel}
          </Button>
        ))}
      </div>
    </Form>
  );
}

type DetailFieldProps = { name: PersonField; value: string; error: string | undefined; hint: ReactNode };

/** Which keyboard a phone shows. Nothing of the owner's own is to be filled in. */
const inputTypes = {
  name: "text",
  title: "text",
  company: "text",
  email: "email",
  phone: "tel",
  website: "url",
} as const;

function DetailField({ name, value, error, hint }: DetailFieldProps) {
  const props = {
    id: name,
    name,
    label: leadMessages.labels[name],
    defaultValue: value,
    autoComplete: "off",
    dir: "auto",
    limit: { max: maxLengths[name] },
    hint,
    ...(error && { error }),
  };
  return name === "note" ? <TextAreaField {...props} rows={4} /> : <Field {...props} type={inputTypes[name]} />;
}

type ConsentFieldProps = { consent: ContactConsent; isChecked: boolean; error: string | undefined };

/** Checked only where the owner confirmed the same for the person before. Its value is the hash of the text, so that another text isn't confirmed by mistake. */
function ConsentField({ consent, isChecked, error }: ConsentFieldProps) {
  return (
    <CheckboxField
      name="agreed"
      value={consent.hash}
      defaultChecked={isChecked}
      autoComplete="off"
      label={messages.agreed}
      hint={
        <>
          {messages.mail}
          <span className="mt-2 block">
            {messages.proof} <q>{consent.text}</q>
          </span>
        </>
      }
      {...(error && { error })}
    />
  );
}

/** Each lead belongs to a card. */
export function NoCardNotice() {
  return (
    <EmptyState
      title="Create a business card first"
      text="Each lead belongs to one of your cards."
      action={
        <ButtonLink variant="main" href="/cards/edit">
          Create a business card
        </ButtonLink>
      }
    />
  );
}
