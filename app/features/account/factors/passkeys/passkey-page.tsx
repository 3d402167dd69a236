import type { DocumentHandle } from "#app/document.ts";
import { authPath, readReturnTo, signedInPath } from "#app/services/auth/return-to.ts";
import { readFields } from "#app/features/account/schema.ts";
import { AuthCard, BackToLogin } from "#app/features/account/sign-in/auth-card.tsx";
import { EmailField } from "#app/features/account/sign-in/auth-forms.tsx";
import { respondToAuthForm } from "#app/features/account/sign-in/auth-response.server.ts";
import { plainScript } from "#app/features/account/sign-in/form-script.ts";
import { themeScript } from "#app/features/shell/theme/theme-script.ts";
import { requestContext, services, viewer } from "#app/services/http/context.ts";
import { Notice } from "#app/ui/components/notice.tsx";
import { replace } from "react-router";

import type { Route } from "./+types/passkey-page.ts";
import { PasskeyButton } from "./passkey-button.tsx";
import { passkeyScript } from "./passkey-script.ts";

export const handle: DocumentHandle = { document: "plain", script: plainScript(themeScript(), passkeyScript) };

export function loader({ context, url }: Route.LoaderArgs) {
  const returnTo = readReturnTo(url.searchParams);
  if (viewer(context)) throw replace(returnTo ?? signedInPath);
  return { returnTo };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const fields = { ...(await readFields(request)), intent: "passkey" };
  const { address } = context.get(requestContext);
  const returnTo = readReturnTo(url.searchParams);
  const all = services(context);
  return respondToAuthForm({
    services: all,
    fields,
    address,
    headers: request.headers,
    returnTo,
    draft: undefined,
  });
}

/** A page of its own, so that the script for passkeys isn't a part of the sign-in page. */
export default function PasskeyPage({ loaderData, actionData }: Route.ComponentProps) {
  const notice = actionData && "notice" in actionData ? actionData.notice : undefined;
  return (
    <AuthCard
      title="Sign in with a passkey"
      heading="Sign in with a passkey"
      lead="Use your fingerprint, face or screen lock. You can leave the email empty."
      hasErrors={notice !== undefined}
    >
      {notice && (
        <Notice tone="error" title={notice.title}>
          {notice.text}
        </Notice>
      )}
      <form method="post" name="passkey" noValidate className="grid gap-5">
        <EmailField email="" error={undefined} isFirstProblem={false} hasPasskeys />
        <PasskeyButton purpose="sign-in" isMain>
          Use a passkey
        </PasskeyButton>
      </form>
      <BackToLogin href={authPath(loaderData.returnTo)} />
    </AuthCard>
  );
}
