import { Button } from "#app/ui/components/button.tsx";
import { Notice } from "#app/ui/components/notice.tsx";
import { CheckboxField } from "#app/ui/forms/checkbox-field.tsx";
import { Field } from "#app/ui/forms/field.tsx";

import { PasskeyButton } from "#app/features/account/factors/passkeys/passkey-button.tsx";

/** Why the second step was rejected: a problem with the code, or with something else. */
export type VerifyProblem = { error?: string; notice?: { title: string; text?: string } };

type VerifyFormProps = {
  view: "code" | "backup-code" | "passkey";
  hasPasskeys: boolean;
  problem: VerifyProblem | undefined;
  code: string;
  isTrusted: boolean;
  otherWay: { href: string; label: string };
};

/** One form for codes and passkeys: a passkey's response goes into a hidden field. */
export function VerifyForm({ view, hasPasskeys, problem, code, isTrusted, otherWay }: VerifyFormProps) {
  return (
    <>
      {problem?.notice && (
        <Notice tone="error" title={problem.notice.title}>
          {problem.notice.text}
        </Notice>
      )}
      <form method="post" name="verify" noValidate className="grid gap-5">
        <input type="hidden" name="kind" value={view} />
        {view !== "passkey" && <CodeField isBackupCode={view === "backup-code"} code={code} error={problem?.error} />}
        <CheckboxField
          name="trust"
          value="on"
          defaultChecked={isTrusted}
          label="Trust this browser for 30 days"
          hint="You won’t be asked for a code on this browser. Don’t choose this on a shared computer."
        />
        {view !== "passkey" && (
          <Button variant="main" type="submit" data-busy="Verifying...">
            Verify
          </Button>
        )}
        {hasPasskeys && view !== "backup-code" && (
          <PasskeyButton purpose="second-factor" isMain={view === "passkey"}>
            Use a passkey
          </PasskeyButton>
        )}
      </form>
      <a
        href={otherWay.href}
        className="-my-2.5 inline-flex min-h-11 items-center justify-self-center text-sm underline"
      >
        {otherWay.label}
      </a>
    </>
  );
}

type CodeFieldProps = { isBackupCode: boolean; code: string; error: string | undefined };

/** Password managers and phones fill in a code where a field asks for a one-time code. */
function CodeField({ isBackupCode, code, error }: CodeFieldProps) {
  return (
    <Field
      label={isBackupCode ? "Backup code" : "Code"}
      name="code"
      autoComplete={isBackupCode ? "off" : "one-time-code"}
      inputMode={isBackupCode ? "text" : "numeric"}
      autoCapitalize={isBackupCode ? "characters" : "none"}
      spellCheck={false}
      maxLength={40}
      required
      defaultValue={code}
      className="font-mono text-lg! tracking-widest"
      // oxlint-disable-next-line jsx-a11y/no-autofocus -- the only field of the page, which was opened to fill it in
      autoFocus
      {...(error && { error })}
    />
  );
}
