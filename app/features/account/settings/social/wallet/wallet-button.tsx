import { Button } from "#app/ui/components/button.tsx";
import { Notice } from "#app/ui/components/notice.tsx";

/**
 * The buttons in a form that wallet-script.ts brings to life, one for each wallet in the browser: the signature goes into the field
 * "signature", and the form is submitted.
 */
export function WalletButtons({ purpose }: { purpose: "sign-in" | "connect" }) {
  return (
    <div className="grid gap-4" data-wallets={purpose}>
      <input type="hidden" name="signature" />
      <div hidden data-wallet-failed>
        <Notice tone="error" title="The wallet didn’t sign">
          Try again, or use another way.
        </Notice>
      </div>
      <div data-wallet-list className="grid gap-3 empty:hidden" />
      <template>
        <Button variant="main" />
      </template>
      <p data-wallet-missing className="text-sm text-muted">
        No wallet was found in this browser. Wallets need JavaScript, and an extension or a wallet app’s own browser.
      </p>
    </div>
  );
}
