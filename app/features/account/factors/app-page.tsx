import { data, Form, redirect, useNavigation } from "react-router";

import { requireFresh } from "#app/services/auth/reauthentication/reauthentication.server.ts";
import { cookieHeaders } from "#app/features/account/sign-in/auth-response.server.ts";
import { CopyButton } from "#app/features/sharing/copy-button.tsx";
import { qrPath } from "#app/features/drawing/qr-code.ts";
import { QrImage } from "#app/features/drawing/qr-image.tsx";
import { formatWait } from "#app/services/base/format.ts";
import { readSentForm } from "#app/services/forms/form-action.server.ts";
import { requireUser, services } from "#app/services/http/context.ts";
import { redirectWithToast } from "#app/services/http/toast.server.ts";
import { pageWidthClass } from "#app/ui/components/page-width.ts";
import { Page } from "#app/ui/components/page.tsx";
import { BackLink } from "#app/ui/components/back-link.tsx";
import { Button, ButtonLink } from "#app/ui/components/button.tsx";
import { useIsHydrated } from "#app/ui/components/hydration.ts";
import { Notice } from "#app/ui/components/notice.tsx";
import { Panel } from "#app/ui/components/panel.tsx";
import { Field } from "#app/ui/forms/field.tsx";

import type { Route } from "./+types/app-page.ts";
import { BackupCodesView, copyOf } from "./backup-codes-view.tsx";
import { confirmApp } from "./factor-data.server.ts";
import { factorMessages as messages, tooManyCodesMessage } from "./factor-messages.ts";

export async function loader({ context, url }: Route.LoaderArgs) {
  requireFresh(context, url);
  const user = requireUser(context);
  const { auth } = services(context);
  const pending = await auth.findPendingApp(user);
  const { isOn, hasApp } = await auth.findFactors(user.id);
  // After the right code its response shows the backup codes, and there is nothing left to set up.
  if (!pending && !isOn) throw redirect("/account/two-step");
  const qr = pending && qrPath(pending.uri);
  return { qr, uri: pending?.uri ?? "", key: pending?.secret.replace(/.{4}(?=.)/g, "$& ") ?? "", hasApp };
}

export function meta() {
  return [{ title: "Set up authenticator app | Meishi" }];
}

type AppResult = { codes?: string[]; error?: string; code: string };

export async function action(args: Route.ActionArgs) {
  requireFresh(args.context, args.url);
  const { all, ownerId: userId, text: field, origin } = await readSentForm(args);
  const code = field("code");
  const reject = (error: string, status = 400) => data<AppResult>({ error, code }, status);
  if (code.trim() === "") return reject(messages.codeRequired);
  const result = await confirmApp(all, { userId, code, ...origin });
  if (result.kind === "rate-limited") {
    const { title, text } = tooManyCodesMessage(formatWait(result.until, all.clock()));
    return reject(`${title}. ${text}`, 429);
  }
  if (result.kind === "refused") return reject(messages.wrongSetupCode);
  const headers = cookieHeaders(result.cookies);
  if (result.codes) return data<AppResult>({ codes: result.codes, code: "" }, { headers });
  return redirectWithToast("/account/two-step", { title: messages.appReplaced, tone: "success" }, headers);
}

export default function AppPage({ loaderData, actionData }: Route.ComponentProps) {
  const isHydrated = useIsHydrated();
  const isBusy = useNavigation().state !== "idle";
  const { qr, uri, key, hasApp } = loaderData;
  if (actionData?.codes) {
    const { codes } = actionData;
    return (
      <div className={pageClass}>
        <BackupCodesView
          codes={codes}
          hasTurnedOn
          copyButton={<CopyButton content={{ text: copyOf(codes) }}>Copy codes</CopyButton>}
        />
      </div>
    );
  }
  return (
    <Page
      width="form"
      title={hasApp ? "Replace authenticator app" : "Set up authenticator app"}
      back={<BackLink to="/account/two-step">Two-step verification</BackLink>}
    >
      {!qr && <NothingToSetUp />}
      {qr && (
        <>
          <Panel title="1. Scan the code">
            <p className="text-muted">
              Open an authenticator app, such as Google Authenticator or 2FAS, or your password manager, and scan this
              code.
            </p>
            <QrImage
              code={qr}
              label="QR code for your authenticator app"
              className="mt-5 w-full max-w-56 rounded-control bg-white"
            />
            <p className="mt-5 text-sm text-muted">
              Can’t scan it?{" "}
              <a href={uri} className="underline hover:text-text">
                Open an app on this device
              </a>{" "}
              or enter this key:
            </p>
            <div className="mt-2 flex flex-wrap items-center gap-2.5">
              <code translate="no" className="rounded-control bg-higher px-4 py-2.5 font-mono text-sm wrap-anywhere">
                {key}
              </code>
              {isHydrated && <CopyButton content={{ text: key.replaceAll(" ", "") }}>Copy key</CopyButton>}
            </div>
          </Panel>
          <Panel title="2. Enter the code it shows">
            <Form method="post" noValidate className="grid gap-5">
              <Field
                label="Code"
                name="code"
                inputMode="numeric"
                autoComplete="one-time-code"
                maxLength={40}
                required
                className="font-mono text-lg! tracking-widest"
                defaultValue={actionData?.code}
                // oxlint-disable-next-line jsx-a11y/no-autofocus -- only a rejected form
                autoFocus={actionData?.error !== undefined}
                hint={!hasApp && "Turning it on signs out all your other browsers."}
                {...(actionData?.error && { error: actionData.error })}
              />
              <Button variant="main" type="submit" className="justify-self-start" aria-disabled={isBusy}>
                {hasApp ? "Use this app" : "Turn on two-step verification"}
              </Button>
            </Form>
          </Panel>
        </>
      )}
    </Page>
  );
}

const pageClass = `${pageWidthClass} pt-8 *:max-w-160`;

function NothingToSetUp() {
  return (
    <Notice title="Nothing to set up" action={<ButtonLink href="/account/two-step">Two-step verification</ButtonLink>}>
      Your authenticator app is set up already.
    </Notice>
  );
}
