import type { ReactNode } from "react";

import { leadMessages } from "#app/features/leads/messages.ts";
import { leadFieldNames, shownMode } from "#app/features/leads/rules.ts";
import type { LeadFieldName } from "#app/features/leads/rules.ts";
import type { LeadFormSettings, Question } from "#app/features/leads/schema.ts";

import { consentField, questionField } from "#app/features/leads/form-schema.ts";
import type { LeadErrors, TypedLead } from "#app/features/leads/form-schema.ts";
import { honeypotField } from "#app/features/leads/spam-rules.ts";

type LeadFormViewProps = {
  settings: LeadFormSettings;
  consents: readonly { purpose: "answer" | "newsletter" | "in-person"; text: string; hash: string }[];
  formToken: string;
  typed?: TypedLead;
  errors?: LeadErrors;
  notice?: string | undefined;
  /** On a device that many visitors use: where the form is sent to, and what it says about privacy instead of a link. */
  kiosk?: { action: string; privacy: ReactNode };
};

/** The form with which a visitor shares their details. Plain HTML, without script. Needs connect-style.ts. */
export function LeadFormView({
  settings,
  consents,
  formToken,
  typed = {},
  errors = {},
  notice,
  kiosk,
}: LeadFormViewProps) {
  // The first field with an error gets the focus, so that a screen reader reads it with its error.
  const firstInvalid = listFields(settings, consents).find((name) => errors[name] !== undefined);
  const stateOf = (name: string) => ({
    name,
    value: typed[name] ?? "",
    error: errors[name],
    isFocused: name === firstInvalid,
  });
  return (
    <form className="form" method="post" action={kiosk?.action} autoComplete={kiosk && "off"} noValidate>
      {notice && (
        <p className="error" role="alert">
          {notice}
        </p>
      )}
      {leadFieldNames.map((name) => {
        const mode = shownMode(settings.fields, name);
        if (mode === "hidden") return null;
        const state = { ...stateOf(name), isShared: kiosk !== undefined };
        const hint = mode === "required" ? undefined : optionalHint(settings.fields, name);
        return <TextField key={name} kind={name} hint={hint} {...state} />;
      })}
      {settings.questions.map((question) => (
        <QuestionField key={question.id} question={question} {...stateOf(questionField(question))} />
      ))}
      {consents.map(({ purpose, text, hash }) => (
        <ConsentBox key={purpose} text={text} hash={hash} {...stateOf(consentField(purpose))} />
      ))}
      <div className="sr-only" aria-hidden="true">
        <label>
          Leave this empty
          <input name={honeypotField} tabIndex={-1} autoComplete="off" />
        </label>
      </div>
      <input type="hidden" name="formToken" value={formToken} />
      <button className="button main" type="submit">
        {leadMessages.share}
      </button>
      {kiosk?.privacy ?? (
        <p className="hint">
          No account needed. {/* In a tab of its own, so that what was typed stays. */}
          <a href="/privacy#shared-contacts" target="_blank">
            What is stored and why
          </a>
        </p>
      )}
    </form>
  );
}

function listFields(settings: LeadFormSettings, consents: LeadFormViewProps["consents"]): string[] {
  return [
    ...leadFieldNames,
    ...settings.questions.map(questionField),
    ...consents.map(({ purpose }) => consentField(purpose)),
  ];
}

type FieldState = { name: string; value: string; error: string | undefined; isFocused: boolean };

/** Connects a control with its error. */
function controlProps({ name, error, isFocused }: Omit<FieldState, "value">) {
  return {
    id: name,
    name,
    autoFocus: isFocused,
    "aria-invalid": error ? true : undefined,
    "aria-describedby": error ? `${name}-error` : undefined,
  };
}

function FieldError({ name, error }: Pick<FieldState, "name" | "error">) {
  return (
    error && (
      <p className="error" id={`${name}-error`} role="alert">
        {error}
      </p>
    )
  );
}

/** What browsers fill in, and which keyboard a phone shows. */
const inputKinds: Record<Exclude<LeadFieldName, "note">, { type: string; autoComplete: string }> = {
  name: { type: "text", autoComplete: "name" },
  email: { type: "email", autoComplete: "email" },
  phone: { type: "tel", autoComplete: "tel" },
  company: { type: "text", autoComplete: "organization" },
};

/** Browsers and keyboards must neither fill in nor remember what a visitor types on a device of many. */
const sharedInput = { autoComplete: "off", autoCorrect: "off", spellCheck: false } as const;

/** One of two ways to answer is enough, so neither is optional on its own. */
function optionalHint(fields: LeadFormSettings["fields"], name: LeadFieldName): string {
  const isEither = shownMode(fields, "email") === "optional" && shownMode(fields, "phone") === "optional";
  if (isEither && name === "email") return "or phone";
  return isEither && name === "phone" ? "or email" : "optional";
}

/** `hint`: for a field that may be empty. */
type TextFieldProps = FieldState & { kind: LeadFieldName; hint: string | undefined; isShared: boolean };

function TextField({ kind, hint, isShared, value, ...state }: TextFieldProps) {
  const props = { ...controlProps(state), defaultValue: value, required: hint === undefined, dir: "auto" };
  const shared = isShared ? sharedInput : {};
  return (
    <div className="field">
      <label htmlFor={state.name}>
        {leadMessages.labels[kind]}
        {hint && <Optional text={hint} />}
      </label>
      {kind === "note" ? (
        <textarea {...props} {...shared} rows={4} />
      ) : (
        <input {...props} {...inputKinds[kind]} {...shared} />
      )}
      <FieldError {...state} />
    </div>
  );
}

function QuestionField({ question, value, ...state }: FieldState & { question: Question }) {
  const { label, kind, options, isRequired } = question;
  const props = { ...controlProps(state), defaultValue: value, required: isRequired };
  return (
    <div className="field">
      <label htmlFor={state.name}>
        <bdi>{label}</bdi>
        {!isRequired && <Optional />}
      </label>
      {kind === "choice" ? (
        <select {...props}>
          <option value="">Choose…</option>
          {options.map((option) => (
            <option key={option}>{option}</option>
          ))}
        </select>
      ) : (
        <input {...props} dir="auto" autoComplete="off" />
      )}
      <FieldError {...state} />
    </div>
  );
}

/** Never checked by default. Its value is the hash of the text, so that consent to another text is refused. */
function ConsentBox({ text, hash, value, ...state }: FieldState & { text: string; hash: string }) {
  return (
    <div className="agree">
      <input
        {...controlProps(state)}
        type="checkbox"
        value={hash}
        defaultChecked={value === hash}
        required={state.name === consentField("answer")}
        autoComplete="off"
      />
      <label htmlFor={state.name}>
        <bdi>{text}</bdi>
        {state.name !== consentField("answer") && <Optional />}
      </label>
      <FieldError {...state} />
    </div>
  );
}

function Optional({ text = "optional" }: { text?: string }) {
  return <span className="hint"> ({text})</span>;
}
