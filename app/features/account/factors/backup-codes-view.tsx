import type { ReactNode } from "react";
import { ActionButton } from "#app/ui/components/action-button.tsx";
import { Button, ButtonLink } from "#app/ui/components/button.tsx";
import { useIsHydrated } from "#app/ui/components/hydration.ts";
import { Notice } from "#app/ui/components/notice.tsx";
import { Panel } from "#app/ui/components/panel.tsx";

/** The codes as the text that is copied and downloaded. */
export function copyOf(codes: readonly string[]): string {
  return `Meishi backup codes (each works once)\n\n${codes.join("\n")}\n`;
}

type BackupCodesViewProps = { codes: readonly string[]; hasTurnedOn: boolean | undefined; copyButton: ReactNode };

/** New backup codes, which are shown this once. Prints as a list without buttons. */
export function BackupCodesView({ codes, hasTurnedOn, copyButton }: BackupCodesViewProps) {
  const isHydrated = useIsHydrated();
  return (
    <>
      <h1 ref={focusFromTop} tabIndex={-1} className="heading mb-1 text-xl outline-none">
        Save your backup codes
      </h1>
      <Notice
        tone="success"
        title={hasTurnedOn ? "Two-step verification is on" : "Your old backup codes no longer work"}
        className="print:hidden"
      >
        {hasTurnedOn && "Your other browsers were signed out. "}
        Without your phone or passkey, a backup code is the only way in. We can’t show these again.
      </Notice>
      <Panel title="Meishi backup codes">
        <p className="mb-4 text-muted">Each code works once. Keep them somewhere safe, such as a password manager.</p>
        <ol className="grid gap-x-6 gap-y-2.5 font-mono sm:grid-cols-2">
          {codes.map((code) => (
            <li key={code} translate="no" className="rounded-control bg-higher px-4 py-2 text-center tracking-wide">
              {code}
            </li>
          ))}
        </ol>
        <div className="mt-5 flex flex-wrap gap-2.5 max-sm:*:grow print:hidden">
          {isHydrated && copyButton}
          <ButtonLink
            download="meishi-backup-codes.txt"
            href={`data:text/plain;charset=utf-8,${encodeURIComponent(copyOf(codes))}`}
          >
            Download
          </ButtonLink>
          {isHydrated && <Button onClick={() => print()}>Print</Button>}
        </div>
      </Panel>
      <ButtonLink variant="main" href="/account/two-step" className="justify-self-start print:hidden">
        I saved my codes
      </ButtonLink>
    </>
  );
}

/** How many codes are left, and the button that makes new ones. */
export function BackupCodesPanel({ left }: { left: number }) {
  return (
    <Panel title="Backup codes" aside={`${left} of 10 left`}>
      <p className="text-muted">
        {left === 0
          ? "You’ve used all your codes. Create new ones so you can sign in without your phone or passkey."
          : "They let you in without your phone or passkey. Creating new ones cancels the old ones."}
      </p>
      <ActionButton fields={{ intent: "make-codes" }} formProps={{ className: "mt-4", preventScrollReset: false }}>
        Create new backup codes
      </ActionButton>
    </Panel>
  );
}

/** The codes replace a form, which may be scrolled far down. */
function focusFromTop(heading: HTMLElement | null) {
  if (!heading) return;
  heading.focus({ preventScroll: true });
  window.scrollTo(0, 0);
}
