import { data } from "react-router";

import { requestFacts, services } from "#app/services/context.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { Notice } from "#app/ui/notice.tsx";

import type { Route } from "./+types/forgot-password-page.ts";
import { EmailField } from "./account-fields.tsx";
import { AuthCard, BackToLogin } from "./auth-card.tsx";
import { failureOf } from "./auth-answers.server.ts";
import { requestReset } from "./data.server.ts";
import { emailForm, fieldErrors, readFields } from "./form.ts";
import type { FieldErrors } from "./form.ts";
import { hasMailBox } from "./mail-box.server.ts";
import { messages, tooManyMails } from "./messages.ts";
import { inMinutes } from "./rules.ts";

export function loader({ context }: Route.LoaderArgs) {
  const { mail, config } = services(context);
  return { canMail: mail.isConfigured, hasMailBox: hasMailBox(config) };
}

type Answer = { isSent: boolean; email: string; errors: FieldErrors; refusal?: string };

export async function action({ request, context }: Route.ActionArgs) {
  const all = services(context);
  const fields = await readFields(request);
  const answer: Answer = { isSent: false, email: fields.email ?? "", errors: {} };
  if (!all.mail.isConfigured) return data({ ...answer, refusal: messages.noMail.title }, 503);
  const form = emailForm.safeParse(fields);
  if (!form.success) return data({ ...answer, errors: fieldErrors(form.error) }, 400);
  const { address, id } = context.get(requestFacts);
  try {
    const result = await requestReset(all, { ...form.data, address });
    if (result.kind === "sent") return data({ ...answer, isSent: true });
    return data({ ...answer, refusal: tooManyMails(inMinutes(result.until, all.clock())).text }, 429);
  } catch (error) {
    const { notice, status } = failureOf({ services: all, id }, error);
    return data({ ...answer, refusal: `${notice.title}. ${notice.text}` }, status);
  }
}

export default function ForgotPasswordPage({ loaderData, actionData }: Route.ComponentProps) {
  const { canMail } = loaderData;
  return (
    <AuthCard
      title="Forgot your password?"
      hasErrors={actionData !== undefined && !actionData.isSent}
      heading="Forgot your password?"
      lead="Enter the email of your account and we send a link to set a new one."
    >
      {actionData?.isSent && <Sent hasMailBox={loaderData.hasMailBox} />}
      {actionData?.refusal && (
        <Notice tone="error" title={messages.resetFailed}>
          {actionData.refusal}
        </Notice>
      )}
      {!canMail && (
        <Notice tone="warning" title={messages.noMail.title}>
          {messages.noMail.text}
        </Notice>
      )}
      <form method="post">
        <fieldset disabled={!canMail} className="grid gap-5">
          <EmailField
            email={actionData?.email}
            error={actionData?.errors.email}
            isFirstFault={Boolean(actionData?.errors.email)}
          />
          <Button variant={actionData?.isSent ? "quiet" : "main"} type="submit">
            Send Reset Link
          </Button>
        </fieldset>
      </form>
      <BackToLogin />
    </AuthCard>
  );
}

function Sent({ hasMailBox }: { hasMailBox: boolean }) {
  return (
    <Notice
      tone="success"
      title={messages.resetSent.title}
      action={
        hasMailBox && (
          <ButtonLink size="s" href="/dev/mail">
            Open mail box
          </ButtonLink>
        )
      }
    >
      {messages.resetSent.text}
    </Notice>
  );
}
