import { Button } from "#app/ui/button.tsx";
import { Field } from "#app/ui/field.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { TextAreaField } from "#app/ui/text-area-field.tsx";

import type { ContactAnswer } from "./answer.server.ts";
import type { FieldName } from "./form.ts";
import { messages } from "./messages.ts";
import { longestMessage, shortestMessage, trapField } from "./rules.ts";

type ContactFormProps = {
  canSend: boolean;
  /** After it was refused. */
  answer: ContactAnswer | undefined;
  /** Of whoever is signed in. */
  email: string;
  stamp: string;
};

/** A plain form, sent whole: it works without script, and what was typed before the page has any is the browser's own. */
export function ContactForm({ canSend, answer, email, stamp }: ContactFormProps) {
  if (!canSend) {
    return (
      <Notice tone="warning" title={messages.unreachable.title}>
        {messages.unreachable.text}
      </Notice>
    );
  }
  const { typed = { name: "", email, message: "" }, errors = {}, notice } = answer ?? {};
  // After a refused form the cursor stands in the first field to mend, so that it is read out with what is wrong.
  const firstFault = fieldNames.find((name) => errors[name] !== undefined);
  const fieldOf = (name: FieldName) => ({
    name,
    defaultValue: typed[name],
    error: errors[name],
    autoFocus: name === firstFault,
  });
  return (
    <form
      method="post"
      action="/contact"
      noValidate
      className="grid gap-5 rounded-card border border-line bg-raised p-5 shadow-card sm:p-8"
    >
      {notice && (
        <Notice tone="warning" title={notice.title}>
          {notice.text}
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
        hint={`${shortestMessage} to ${longestMessage.toLocaleString("en")} characters.`}
        {...fieldOf("message")}
      />
      <Trap />
      <input type="hidden" name="stamp" value={stamp} />
      <div className="flex flex-wrap items-center gap-x-5 gap-y-3">
        <Button type="submit" variant="main" className="w-full sm:w-auto">
          Send message
        </Button>
        <p className="min-w-0 flex-1 basis-full text-sm text-muted sm:basis-0">
          Used to answer you, and for nothing else.{" "}
          <a className="underline underline-offset-4" href="/privacy#when-you-write-to-us">
            Privacy
          </a>
        </p>
      </div>
    </form>
  );
}

const fieldNames = ["name", "email", "message"] as const;

/** No person sees, hears or reaches it. */
function Trap() {
  return (
    <div className="sr-only" aria-hidden="true">
      <label>
        Leave this empty
        <input name={trapField} tabIndex={-1} autoComplete="off" />
      </label>
    </div>
  );
}
