import { formatNumber } from "#app/services/base/format.ts";
import type { RefusedForm } from "#app/services/forms/form-action.server.ts";
import { Button } from "#app/ui/components/button.tsx";
import { Notice } from "#app/ui/components/notice.tsx";
import { Field, TextAreaField } from "#app/ui/forms/field.tsx";

import { messages } from "./messages.ts";
import { maxMessageLength, minMessageLength, honeypotField } from "./rules.ts";
import type { ContactField } from "./schema.ts";

type ContactFormProps = {
  canSend: boolean;
  /** After a refused submission. */
  result: RefusedForm<Record<ContactField, string>, { title: string; text: string }> | undefined;
  /** The signed-in user's address, else "". */
  email: string;
  formToken: string;
};

/** A plain form that needs no JavaScript. Its fields are uncontrolled, so text typed before hydration stays. */
export function ContactForm({ canSend, result, email, formToken }: ContactFormProps) {
  if (!canSend) {
    return (
      <Notice tone="warning" title={messages.unreachable.title}>
        {messages.unreachable.text}
      </Notice>
    );
  }
  const { values = { name: "", email, message: "" }, errors = {}, problem } = result ?? {};
  // The first field with an error gets the focus, so that a screen reader reads it with its error.
  const firstInvalid = fieldNames.find((name) => errors[name] !== undefined);
  const fieldOf = (name: ContactField) => ({
    name,
    defaultValue: values[name],
    error: errors[name],
    autoFocus: name === firstInvalid,
  });
  return (
    <form
      method="post"
      action="/contact"
      noValidate
      className="grid gap-5 rounded-card border border-line bg-raised p-5 shadow-card sm:p-8"
    >
      {problem && (
        <Notice tone="warning" title={problem.title}>
          {problem.text}
        </Notice>
      )}
      <div className="grid gap-5 sm:grid-cols-2">
        <Field label="Name (optional)" autoComplete="name" {...fieldOf("name")} />
        <Field label="Email" type="email" inputMode="email" autoComplete="email" required {...fieldOf("email")} />
      </div>
      <TextAreaField
        label="Message"
        rows={8}
        className="min-h-48!"
        required
        hint={`${minMessageLength} to ${formatNumber(maxMessageLength)} characters.`}
        {...fieldOf("message")}
      />
      <Honeypot />
      <input type="hidden" name="formToken" value={formToken} />
      <div className="flex flex-wrap items-center gap-x-5 gap-y-3">
        <Button type="submit" variant="main" className="w-full sm:w-auto">
          Send message
        </Button>
        <p className="min-w-0 flex-1 basis-full text-sm text-muted sm:basis-0">
          Used only to reply to you.{" "}
          <a className="underline underline-offset-4" href="/privacy#when-you-write-to-us">
            Privacy
          </a>
        </p>
      </div>
    </form>
  );
}

const fieldNames = ["name", "email", "message"] as const;

/** Hidden from people, screen readers and the keyboard. */
function Honeypot() {
  return (
    <div className="sr-only" aria-hidden="true">
      <label>
        Leave this empty
        <input name={honeypotField} tabIndex={-1} autoComplete="off" />
      </label>
    </div>
  );
}
