import { Button } from "#app/ui/button.tsx";
import { Icon } from "#app/ui/icon.tsx";

/** Says that there are no passes yet: a popover, so that pressing the button is answered without script too. */
export function DemoWallet() {
  return (
    <>
      <Button variant="main" popoverTarget={noteId} className="w-80 max-w-full">
        <Icon name="wallet" />
        Add to Apple Wallet
      </Button>
      <div id={noteId} popover="auto" role="dialog" aria-labelledby={`${noteId}-title`} className={note}>
        <p id={`${noteId}-title`} className="font-semibold">
          Wallet passes are not built yet
        </p>
        <p className="mt-1 mb-5 text-muted">
          Nothing was added to your wallet. Today a card goes over by link, QR code, NFC tag and contact file.
        </p>
        <Button popoverTarget={noteId} popoverTargetAction="hide" autoFocus>
          Close
        </Button>
      </div>
    </>
  );
}

const noteId = "demo-wallet";
const note =
  "m-auto w-72 rounded-card border border-line-strong bg-raised p-6 text-text [box-shadow:var(--shadow-card)] backdrop:bg-[#060709a8]";
