import { Button } from "#app/ui/components/button.tsx";
import { Notice } from "#app/ui/components/notice.tsx";

type PasskeyButtonProps = {
  purpose: "sign-in" | "second-factor" | "confirm";
  /** The only way on: then visitors without script get an explanation. */
  isMain?: boolean;
  children: string;
};

/**
 * A button in a form that passkey-script.ts brings to life, where the browser supports passkeys: the response goes into the field
 * "credential", and the form is submitted.
 */
export function PasskeyButton({ purpose, isMain = false, children }: PasskeyButtonProps) {
  return (
    <div className="grid gap-3" data-passkey={purpose}>
      <input type="hidden" name="credential" />
      <div hidden data-passkey-failed>
        <Notice tone="error" title="No passkey was used">
          Try again, or use another way.
        </Notice>
      </div>
      <Button variant={isMain ? "main" : "quiet"} hidden>
        {children}
      </Button>
      {isMain && (
        <p data-passkey-missing className="text-sm text-muted">
          Passkeys need JavaScript and a browser that supports them. Otherwise, use another way.
        </p>
      )}
    </div>
  );
}
