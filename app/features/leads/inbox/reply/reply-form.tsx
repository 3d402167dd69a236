import { useRef, useState } from "react";
import { Form, useNavigation } from "react-router";

import { Button, ButtonLink } from "#app/ui/components/button.tsx";
import { Panel } from "#app/ui/components/panel.tsx";
import { Field, TextAreaField } from "#app/ui/forms/field.tsx";
import { useFocusFirstError } from "#app/ui/forms/field-focus.ts";

import { mailAppUrl, placeholders, readReply, replyLengths } from "./reply-rules.ts";
import type { ReplyErrors, ReplyTemplate, ReplyValues } from "./reply-rules.ts";

type ReplyFormProps = {
  values: ReplyValues;
  result: { errors: ReplyErrors } | undefined;
  isTemplateSaved: boolean;
  email: string;
  canSend: boolean;
};

/** The message to a lead, and the owner's template below it. */
export function ReplyForm({ values, result, isTemplateSaved, email, canSend }: ReplyFormProps) {
  const intent = useNavigation().formData?.get("intent");
  const [typed, setTyped] = useState<ReplyTemplate>({ subject: values.subject, text: values.text });
  const form = useRef<HTMLFormElement>(null);
  const errors = result?.errors ?? {};
  useFocusFirstError(form, result);
  const field = (name: keyof ReplyValues) => ({
    name,
    defaultValue: values[name],
    dir: "auto",
    ...(errors[name] && { error: errors[name] }),
  });
  return (
    <Form
      ref={form}
      method="post"
      noValidate
      preventScrollReset
      onChange={({ currentTarget }) => setTyped(readReply(new FormData(currentTarget)))}
      className="grid gap-5"
    >
      <input type="hidden" name="id" value={values.id} autoComplete="off" />
      <Panel title="Message">
        <div className="grid gap-5">
          <Field label="Subject" {...field("subject")} limit={{ max: replyLengths.subject }} />
          <TextAreaField
            label="Message"
            rows={9}
            {...field("text")}
            limit={{ max: replyLengths.text }}
            {...(canSend && { hint: "Your card is attached, with a link to it." })}
          />
          <div className="flex flex-wrap gap-2.5 max-sm:*:grow">
            {canSend && (
              <Button type="submit" variant="main" name="intent" value="send" aria-disabled={intent === "send"}>
                {intent === "send" ? "Sending..." : "Send"}
              </Button>
            )}
            <ButtonLink href={mailAppUrl(email, typed)} variant={canSend ? "quiet" : "main"}>
              Open in your mail app
            </ButtonLink>
          </div>
        </div>
      </Panel>
      <details
        className="group rounded-card border border-line bg-raised"
        open={isTemplateSaved || Boolean(errors["templateSubject"] ?? errors["templateText"])}
      >
        <summary className="flex min-h-12 cursor-pointer items-center px-5 font-medium sm:px-6.5">
          Edit your template
        </summary>
        <div className="grid gap-5 px-5 pt-2 pb-5 sm:px-6.5 sm:pb-6.5">
          <p className="text-sm text-muted">
            Each reply starts with this text. Placeholders: {placeholders.join(", ")}. Leave a field empty to use the
            suggested text.
          </p>
          <Field label="Subject of the template" {...field("templateSubject")} limit={{ max: replyLengths.subject }} />
          <TextAreaField label="Template" rows={7} {...field("templateText")} limit={{ max: replyLengths.text }} />
          <div className="flex flex-wrap items-center gap-4">
            <Button type="submit" size="s" name="intent" value="save-template">
              Save template
            </Button>
            <p role="status" className="text-sm text-success">
              {isTemplateSaved && "Template saved."}
            </p>
          </div>
        </div>
      </details>
    </Form>
  );
}
