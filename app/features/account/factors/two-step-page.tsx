import { requireFresh } from "#app/services/auth/reauthentication/reauthentication.server.ts";
import { CopyButton } from "#app/features/sharing/copy-button.tsx";
import { intentAction } from "#app/services/forms/form-action.server.ts";
import { services, requireUser } from "#app/services/http/context.ts";
import { BackLink } from "#app/ui/components/back-link.tsx";
import { Notice } from "#app/ui/components/notice.tsx";
import { useCloseToast } from "#app/ui/components/toast.tsx";

import type { Route } from "./+types/two-step-page.ts";
import { BackupCodesPanel, BackupCodesView, copyOf } from "./backup-codes-view.tsx";
import { factorForms, refuseFactorChange } from "./factor-action.server.ts";
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
    <div className={pageClass}>
      <div className="grid">
        <BackLink to="/account">Account</BackLink>
        <h1 className="heading mb-1 text-xl">Two-step verification</h1>
      </div>
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
    </div>
  );
}

function CopyCodes({ codes }: { codes: string[] }) {
  return <CopyButton content={{ text: copyOf(codes) }}>Copy codes</CopyButton>;
}

const pageClass = "mx-auto grid w-full max-w-140 gap-5 px-5 pt-8 sm:max-w-160 sm:pt-12";
