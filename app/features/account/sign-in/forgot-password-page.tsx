import { data } from "react-router";

import { requestReset } from "#app/features/account/data.server.ts";
import { hasMailbox } from "#app/features/account/mailbox/mailbox.server.ts";
import { messages, tooManyMailsMessage } from "#app/features/account/messages.ts";
import { emailForm, fieldErrors, readFields } from "#app/features/account/schema.ts";
import { authPath, readReturnTo } from "#app/services/auth/return-to.ts";
import type { FieldErrors } from "#app/features/account/schema.ts";
import { formatWait } from "#app/services/base/format.ts";
import { requestContext, services } from "#app/services/http/context.ts";
import { Button, ButtonLink } from "#app/ui/components/button.tsx";
import { Notice } from "#app/ui/components/notice.tsx";

import type { Route } from "./+types/forgot-password-page.ts";
import { AuthCard, BackToLogin } from "./auth-card.tsx";
import { EmailField } from "./auth-forms.tsx";
import { reportFailure } from "./auth-response.server.ts";

export function loader({ context, url }: Route.LoaderArgs) {
  const { mail, config } = services(context);
  return { returnTo: readReturnTo(url.searchParams), canMail: mail.isConfigured, hasMailBox: hasMailbox(config) };
}

type ResetRequestResult = { isSent: boolean; email: string; errors: FieldErrors; refusal?: string };

export async function action({ request, context }: Route.ActionArgs) {
  const all = services(context);
  const fields = await readFields(request);
  const result: ResetRequestResult = { isSent: false, email: fields.email ?? "", errors: {} };
  if (!all.mail.isConfigured) return data({ ...result, refusal: messages.noMail.title }, 503);
  const form = emailForm.safeParse(fields);
  if (!form.success) return data({ ...result, errors: fieldErrors(form.error) }, 400);
  const { address } = context.get(requestContext);
  try {
    const sent = await requestReset(all, { ...form.data, address });
    if (sent.kind === "sent") return data({ ...result, isSent: true });
    return data({ ...result, refusal: tooManyMailsMessage(formatWait(sent.until, all.clock())).text }, 429);
  } catch (error) {
    const { notice, status } = reportFailure(all, error);
    return data({ ...result, refusal: `${notice.title}. ${notice.text}` }, status);
  }
}

export default function ForgotPasswordPage({ loaderData, actionData }: Route.ComponentProps) {
  const { canMail, returnTo } = loaderData;
  return (
    <AuthCard
      title="Forgot your password?"
      hasErrors={actionData !== undefined && !actionData.isSent}
      heading="Forgot your password?"
      lead="Enter your email, and we’ll send you a link to reset your password."
    >
      {actionData?.isSent && <ResetSentNotice hasMailBox={loaderData.hasMailBox} />}
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
      <form method="post" name="forgot-password" noValidate>
        <fieldset disabled={!canMail} className="grid gap-5">
          <EmailField
            email={actionData?.email}
            error={actionData?.errors.email}
            isFirstProblem={Boolean(actionData?.errors.email)}
          />
          <Button variant={actionData?.isSent ? "quiet" : "main"} type="submit" data-busy="Sending...">
            Send Reset Link
          </Button>
        </fieldset>
      </form>
      <BackToLogin href={authPath(returnTo)} />
    </AuthCard>
  );
}

function ResetSentNotice({ hasMailBox }: { hasMailBox: boolean }) {
  return (
    <Notice
      tone="success"
      title={messages.resetSent.title}
      action={
        hasMailBox && (
          <ButtonLink size="s" href="/dev/mail">
            Open mailbox
          </ButtonLink>
        )
      }
    >
      {messages.resetSent.text}
    </Notice>
  );
}
