import type { ReactNode } from "react";

import { consentTemplates } from "#app/features/leads/consent-text.ts";
import { leadMessages } from "#app/features/leads/messages.ts";
import { fieldModes, leadFieldNames, maxLengths, maxOptions, retentionChoices } from "#app/features/leads/rules.ts";
import { CheckboxField, Switch } from "#app/ui/forms/checkbox-field.tsx";
import { Field, TextAreaField } from "#app/ui/forms/field.tsx";
import { SelectField } from "#app/ui/forms/select-field.tsx";

import type { SettingsErrors, SettingsValues } from "./settings-schema.ts";

type SectionsProps = {
  values: SettingsValues;
  errors: SettingsErrors;
  /** What visitors agree to, as the form is typed now. */
  texts: readonly { purpose: string; text: string }[];
  /** Whether the owner passes leads on. */
  hasServices: boolean;
};

/** The fields of the settings. They are uncontrolled, so that what was typed before hydration stays. */
export function SettingsSections({ values, errors, texts, hasServices }: SectionsProps) {
  return (
    <>
      <Section>
        <Switch
          name="is_on"
          label="Let visitors share their contact"
          hint="Shows “Share your details” on this card."
          defaultChecked={values.isOn}
        />
      </Section>
      <Section title="Fields" hint="Visitors always have to give an email address or a phone number.">
        <div className="grid gap-x-3.5 gap-y-4 min-[23rem]:grid-cols-2">
          {leadFieldNames.map((name) => (
            <SelectField
              key={name}
              id={`field-${name}`}
              name={`field-${name}`}
              label={leadMessages.labels[name]}
              value={values.fields[name]}
              options={fieldModes.map((mode): [string, string] => [mode, modeLabels[mode]])}
              error={errors[`field-${name}`]}
            />
          ))}
        </div>
      </Section>
      <Section title="Your questions" hint="At most three. Clear a question to remove it.">
        <div className="grid gap-4">
          {values.questions.map((question, row) => (
            <QuestionRow key={question.id} question={question} row={row} errors={errors} />
          ))}
        </div>
      </Section>
      <ConsentSection {...{ values, errors, texts, hasServices }} />
      <Section title="After sending">
        <Field
          label="Booking link (optional)"
          name="booking_url"
          inputMode="url"
          defaultValue={values.bookingUrl}
          error={errors["booking_url"]}
          hint="Visitors see “Book a time” beside your contact file."
        />
      </Section>
    </>
  );
}

function ConsentSection({ values, errors, texts, hasServices }: SectionsProps) {
  return (
    <Section
      title="Consent"
      hint="Visitors check this box themselves. We always add who gets the details, how long they’re kept, and the right to withdraw."
    >
      <TextAreaField
        label="For a reply"
        name="answer_text"
        defaultValue={values.answerText}
        placeholder={consentTemplates.answer}
        limit={{ max: maxLengths.consentText }}
        hint="Leave empty to use the suggested text."
        error={errors["answer_text"]}
      />
      <CheckboxField
        name="has_newsletter"
        label="Also offer email updates"
        defaultChecked={values.hasNewsletter}
        error={errors["has_newsletter"]}
      />
      <div className={errors["newsletter_text"] ? "" : "hidden group-has-[[name^=has]:checked]/section:block"}>
        <TextAreaField
          label="For news"
          name="newsletter_text"
          defaultValue={values.newsletterText}
          placeholder={consentTemplates.newsletter}
          limit={{ max: maxLengths.consentText }}
          error={errors["newsletter_text"]}
        />
      </div>
      <div className="grid gap-2.5 text-sm" role="group" aria-label="What visitors agree to">
        <p aria-hidden="true" className="font-medium">
          What visitors agree to
        </p>
        {texts.map(({ purpose, text }) => (
          <blockquote key={purpose} className="border-s-2 border-line-strong ps-3 text-muted wrap-anywhere">
            {text}
          </blockquote>
        ))}
        {hasServices && (
          <p className="text-muted">
            Colleagues and services are named because you pass new leads on:{" "}
            <a href="/leads/notifications" className="underline">
              Lead notifications
            </a>
          </p>
        )}
      </div>
      <SelectField
        id="months"
        name="months"
        label="Delete leads after"
        value={String(values.months)}
        options={retentionChoices.map((months): [string, string] => [String(months), `${months} months`])}
        error={errors["months"]}
        hint="For all your cards. A shorter time also applies to leads you have; a longer one to new leads only. You get an email two weeks before leads are deleted."
      />
    </Section>
  );
}

const modeLabels = { hidden: "Not shown", optional: "Optional", required: "Required" } as const;

function Section({ title, hint, children }: { title?: string; hint?: string; children: ReactNode }) {
  return (
    <section className="group/section grid gap-4 rounded-card border border-line bg-raised p-5 sm:p-6.5">
      {title && (
        <div className="grid gap-1">
          <h2 className="text-[1.125rem] leading-7 font-semibold">{title}</h2>
          {hint && <p className="text-sm text-muted">{hint}</p>}
        </div>
      )}
      {children}
    </section>
  );
}

type QuestionRowProps = { question: SettingsValues["questions"][number]; row: number; errors: SettingsErrors };

function QuestionRow({ question, row, errors }: QuestionRowProps) {
  const name = (part: string) => `question-${row}-${part}`;
  const isEmpty = question.label === "" && question.options === "" && !errors[name("label")];
  const fields = (
    <fieldset className="group/question grid gap-4">
      <legend className="sr-only">{`Question ${row + 1}`}</legend>
      <Field
        label={`Question ${row + 1}`}
        name={name("label")}
        defaultValue={question.label}
        limit={{ max: maxLengths.question }}
        error={errors[name("label")]}
      />
      <SelectField
        id={name("kind")}
        name={name("kind")}
        label="Answer"
        value={question.kind}
        options={[
          ["text", "Text"],
          ["choice", "One of these answers"],
        ]}
      />
      <div className="hidden group-has-[[value=choice]:checked]/question:block">
        <TextAreaField
          label="Answers to choose from"
          name={name("options")}
          defaultValue={question.options}
          hint={`2 to ${maxOptions} answers, each on its own line.`}
          error={errors[name("options")]}
        />
      </div>
      <CheckboxField name={name("required")} label="Required" defaultChecked={question.isRequired} />
    </fieldset>
  );
  if (!isEmpty) return <div className={questionClass}>{fields}</div>;
  return (
    // Opens without script. Of several empty questions one is offered, and the next one once it is open.
    <details className={`${questionClass} group/add [&:not([open])+details:not([open])]:hidden open:pb-1`}>
      <summary className="inline-flex min-h-11 cursor-pointer list-none items-center rounded-control border border-line-strong px-4 text-sm font-semibold hover:bg-higher group-open/add:hidden [&::-webkit-details-marker]:hidden">
        Add question
      </summary>
      {fields}
    </details>
  );
}

const questionClass = "not-first:border-t not-first:border-line not-first:pt-4";
