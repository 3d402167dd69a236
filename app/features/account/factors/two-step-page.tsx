import { data, redirect } from "react-router";

import { cookieHeaders } from "#app/features/account/sign-in/auth-response.server.ts";
import { CopyButton } from "#app/features/sharing/copy-button.tsx";
import { requireFresh } from "#app/services/auth/reauthentication/reauthentication.server.ts";
import { intentAction, limitForm } from "#app/services/forms/form-action.server.ts";
import type { SentForm } from "#app/services/forms/form-action.server.ts";
import { services, requireUser } from "#app/services/http/context.ts";
import { redirectWithToast } from "#app/services/http/toast.server.ts";
import { pageWidthClass } from "#app/ui/components/page-width.ts";
import { Page } from "#app/ui/components/page.tsx";
import { BackLink } from "#app/ui/components/back-link.tsx";
import { Notice } from "#app/ui/components/notice.tsx";
import { useCloseToast } from "#app/ui/components/toast.tsx";
import { factorLimits, maxPasskeyName } from "#app/features/account/rules.ts";

import type { Route } from "./+types/two-step-page.ts";
import { BackupCodesPanel, BackupCodesView, copyOf } from "./backup-codes-view.tsx";
import { factorMessages as messages, tooManyFactorChangesMessage } from "./factor-messages.ts";
import { PasskeysPanel } from "./passkeys/passkeys-panel.tsx";
import { StatusPanel, TrustedBrowsersPanel, TurnOffPanel } from "./two-step-panels.tsx";

export async function loader({ context, url }: Route.LoaderArgs) {
  requireFresh(context, url);
  const { id } = requireUser(context);
  const { auth } = services(context);
  const factors = await auth.findFactors(id);
  return {
    factors,
    passkeys: await auth.listPasskeys(id),
    canUsePasskeys: auth.canUsePasskeys,
    browsers: factors.isOn ? await auth.listTrustedBrowsers(id) : [],
  };
}

export function meta() {
  return [{ title: "Two-step verification | Meishi" }];
}

export async function action(args: Route.ActionArgs) {
  requireFresh(args.context, args.url);
  return intentAction(args, factorForms, refuseFactorChange);
}

/** What the page shows after a form: new backup codes, or why nothing changed. */
type FactorResult = { codes?: string[]; hasTurnedOn?: boolean; notice?: { title: string; text?: string } };

const twoStepPath = "/account/two-step";

const factorForms = {
  "start-app": async ({ all, ownerId }: SentForm) => {
    await all.auth.startApp(ownerId);
    return redirect(`${twoStepPath}/app`);
  },
  "turn-on": async ({ all, ownerId: userId, origin }: SentForm) => {
    const { codes, cookies = [] } = (await all.auth.turnOnWithPasskeys({ userId, origin })) ?? {};
    return showCodes({ codes, hasTurnedOn: true }, cookies);
  },
  "make-codes": async ({ all, ownerId: userId, origin }: SentForm) =>
    showCodes({ codes: await all.auth.makeBackupCodes({ userId, origin }), hasTurnedOn: false }),
  "turn-off": async ({ all, ownerId: userId, origin }: SentForm) => {
    await all.auth.turnOff({ userId, origin });
    return succeed(messages.turnedOff);
  },
  untrust: async ({ all, ownerId: userId, text }: SentForm) => {
    const id = text("browser");
    await all.auth.untrustBrowsers({ userId, ...(id && { id }) });
    return succeed(id ? messages.untrusted : messages.untrustedAll);
  },
  "add-passkey": async ({ all, ownerId: userId, origin, text }: SentForm) => {
    const result = await all.auth.addPasskey({ userId, origin, response: text("credential") });
    if (result.kind !== "added")
      return reject(result.kind === "full" ? messages.passkeysFull : messages.passkeyRefused);
    return succeed(messages.passkeyAdded, cookieHeaders(result.cookies));
  },
  "rename-passkey": async ({ all, ownerId: userId, text }: SentForm) => {
    const name = text("name").trim().slice(0, maxPasskeyName);
    if (!name) return reject({ title: messages.passkeyNameRequired });
    await all.auth.renamePasskey({ userId, id: text("id"), name });
    return succeed(messages.passkeyRenamed);
  },
  "remove-passkey": async ({ all, ownerId: userId, origin, text }: SentForm) => {
    const removed = await all.auth.removePasskey({ userId, origin, id: text("id") });
    return removed === "needed" ? reject(messages.passkeyNeeded, 409) : succeed(messages.passkeyRemoved);
  },
};

/** Each change mails the owner. */
async function refuseFactorChange(sent: SentForm) {
  const wait = await limitForm(sent, factorLimits.factorChangesOfAccount);
  return wait ? reject(tooManyFactorChangesMessage(wait), 429) : undefined;
}

/** Without codes, another tab was faster: the page shows what is. */
function showCodes(
  { codes, hasTurnedOn }: { codes: string[] | undefined; hasTurnedOn: boolean },
  cookies: string[] = [],
) {
  if (!codes) return redirect(twoStepPath);
  return data<FactorResult>({ codes, hasTurnedOn }, { headers: cookieHeaders(cookies) });
}

function succeed(title: string, headers?: Headers) {
  return redirectWithToast(twoStepPath, { title, tone: "success" }, headers);
}

function reject(notice: { title: string; text?: string }, status = 400) {
  return data<FactorResult>({ notice }, { status });
}

export default function TwoStepPage({ loaderData, actionData }: Route.ComponentProps) {
  const { factors, passkeys, canUsePasskeys, browsers } = loaderData;
  useCloseToast(actionData);
  const codes = actionData?.codes;
  if (codes) {
    return (
      <div className={pageClass}>
        <BackupCodesView codes={codes} hasTurnedOn={actionData.hasTurnedOn} copyButton={<CopyCodes codes={codes} />} />
      </div>
    );
  }
  return (
    <Page width="form" title="Two-step verification" back={<BackLink to="/account">Account</BackLink>}>
      {actionData?.notice && (
        <Notice tone="error" title={actionData.notice.title}>
          {actionData.notice.text}
        </Notice>
      )}
      <StatusPanel {...factors} canUsePasskeys={canUsePasskeys} />
      {(canUsePasskeys || passkeys.length > 0) && <PasskeysPanel passkeys={passkeys} canAdd={canUsePasskeys} />}
      {factors.isOn && <BackupCodesPanel left={factors.codesLeft} />}
      {factors.isOn && <TrustedBrowsersPanel browsers={browsers} />}
      {factors.isOn && <TurnOffPanel />}
    </Page>
  );
}

function CopyCodes({ codes }: { codes: string[] }) {
  return <CopyButton content={{ text: copyOf(codes) }}>Copy codes</CopyButton>;
}

const pageClass = `${pageWidthClass} pt-8 *:max-w-160`;
