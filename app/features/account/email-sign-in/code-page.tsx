import { data } from "react-router";

import { KeptMail } from "#app/features/account/mailbox/mail-view.tsx";
import { hasMailbox } from "#app/features/account/mailbox/mailbox.server.ts";
import { tooManyCallbacksMessage, tooManyMailsMessage } from "#app/features/account/messages.ts";
import { authPath } from "#app/services/auth/return-to.ts";
import { limits } from "#app/features/account/rules.ts";
import { readFields } from "#app/features/account/schema.ts";
import { AuthCard } from "#app/features/account/sign-in/auth-card.tsx";
import { cookieHeaders, reportFailure } from "#app/features/account/sign-in/auth-response.server.ts";
import { formatWait } from "#app/services/base/format.ts";
import { requestContext, services } from "#app/services/http/context.ts";
import { logSecurityEvent } from "#app/services/http/request-log.server.ts";
import { Button, ButtonLink } from "#app/ui/components/button.tsx";
import { Notice } from "#app/ui/components/notice.tsx";
import { Field } from "#app/ui/forms/field.tsx";

import type { Route } from "./+types/code-page.ts";
import { requestEmailSignIn, signInWithCode } from "./email-sign-in-data.server.ts";
import { respondToEmailSignIn } from "./email-sign-in-response.server.ts";

const messages = {
  codeRequired: "Enter the 6-digit code from the email.",
  wrongCode: "That code isn’t right, or it was used already. Check the latest email.",
  tooManyCodes: { title: "Too many wrong codes", text: "Resend the email and use the new code." },
  expired: {
    title: "Your code has expired",
    text: "It was valid for 10 minutes. Request a new one on the sign-in page.",
  },
  sent: "Email sent!",
} as const;

/** A page of its own, so that the browser can load it again after the visitor looked into their mailbox. */
export function loader({ request, context }: Route.LoaderArgs) {
  const { auth, config } = services(context);
  const asked = auth.findEmailRequest(request.headers);
  return { asked: asked && { email: asked.email, returnTo: asked.returnTo }, hasMailBox: hasMailbox(config) };
}

type CodeResult = {
  code: string;
  error?: string;
  notice?: { title: string; text?: string; tone: "success" | "error" };
};

type CodeRequest = Pick<Route.ActionArgs, "request" | "context"> & { fields: Record<string, string> };

export async function action({ request, context }: Route.ActionArgs) {
  const fields = await readFields(request);
  try {
    return await (fields.intent === "resend" ? resend : checkCode)({ request, context, fields });
  } catch (error) {
    const { notice, status } = reportFailure(services(context), error);
    return refuse({ code: fields.code ?? "", notice: { ...notice, tone: "error" } }, status);
  }
}

async function checkCode({ request, context, fields }: CodeRequest) {
  const all = services(context);
  const { address } = context.get(requestContext);
  // People type it in groups.
  const code = (fields.code ?? "").replaceAll(/[\s-]/g, "");
  if (!/^\d{6}$/.test(code)) return refuse({ code: fields.code ?? "", error: messages.codeRequired }, 400);
  const result = await signInWithCode(all, { code, address, headers: request.headers });
  const email = all.auth.findEmailRequest(request.headers)?.email ?? "";
  switch (result.kind) {
    case "expired":
      return refuse({ code: "" }, 410);
    case "rate-limited": {
      const notice =
        result.limit === limits.codesOfRequest.name
          ? messages.tooManyCodes
          : tooManyCallbacksMessage(formatWait(result.until, all.clock()));
      return refuse({ code: "", notice: { ...notice, tone: "error" } }, 429);
    }
    case "refused":
      logSecurityEvent(all.log, { event: "sign-in-refused", account: await all.auth.findUserId(email) });
      return refuse({ code, error: messages.wrongCode }, 400);
    default:
      return respondToEmailSignIn(all, result);
  }
}

/** Sends another email to the same address. The new cookie makes the code of the earlier one void in this browser. */
async function resend({ request, context }: CodeRequest) {
  const all = services(context);
  const { address } = context.get(requestContext);
  const { headers } = request;
  const asked = all.auth.findEmailRequest(headers);
  if (!asked) return refuse({ code: "" }, 410);
  const { email, returnTo } = asked;
  const sent = await requestEmailSignIn(all, { email, returnTo, address, headers });
  if (sent.kind === "sent")
    return data<CodeResult>(
      { code: "", notice: { title: messages.sent, tone: "success" } },
      { headers: cookieHeaders(sent.cookies) },
    );
  const notice = tooManyMailsMessage(formatWait(sent.until, all.clock()));
  return refuse({ code: "", notice: { ...notice, tone: "error" } }, 429);
}

function refuse(result: CodeResult, status: number) {
  return data<CodeResult>(result, status);
}

/** The same for every address: only its owner learns, by email, whether it has an account. */
export default function CodePage({ loaderData, actionData }: Route.ComponentProps) {
  const { asked, hasMailBox } = loaderData;
  if (!asked) return <RequestExpired />;
  const { email, returnTo } = asked;
  const { code, error, notice } = actionData ?? { code: "" };
  return (
    <AuthCard
      title="Check your email"
      hasErrors={error !== undefined || notice?.tone === "error"}
      heading="Check your email"
      lead={
        <>
          <p>
            If <strong className="wrap-anywhere text-ink">{email}</strong> has an account,{" "}
            {hasMailBox ? "it gets" : "we sent it"} a 6-digit code and a link. Both are valid for 10 minutes.
          </p>
          {hasMailBox && <KeptMail to={email} />}
        </>
      }
    >
      {notice && (
        <Notice tone={notice.tone} title={notice.title}>
          {notice.text}
        </Notice>
      )}
      <form method="post" name="code" noValidate className="grid gap-5">
        <Field
          label="6-digit code"
          name="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          autoCorrect="off"
          spellCheck={false}
          required
          defaultValue={code}
          error={error}
          className="text-xl tracking-[0.3em] tabular-nums"
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- never on a fresh page
          autoFocus={error !== undefined}
        />
        <Button variant="main" type="submit" data-busy="Signing in...">
          Sign in
        </Button>
      </form>
      <div className="grid justify-items-start gap-3">
        <p className="text-sm text-muted">
          {hasMailBox ? "You can " : "Nothing after a minute? Check your spam folder, "}send it again, or{" "}
          <a href={authPath(returnTo)} className="underline hover:text-text">
            use a different address
          </a>
          .
        </p>
        <form method="post" name="resend">
          <input type="hidden" name="intent" value="resend" />
          <Button type="submit" size="s" data-busy="Sending...">
            Resend email
          </Button>
        </form>
      </div>
    </AuthCard>
  );
}

function RequestExpired() {
  return (
    <AuthCard title="Check your email" hasErrors heading={messages.expired.title}>
      <Notice tone="warning">{messages.expired.text}</Notice>
      <ButtonLink variant="main" href="/auth">
        Go to sign-in
      </ButtonLink>
    </AuthCard>
  );
}
