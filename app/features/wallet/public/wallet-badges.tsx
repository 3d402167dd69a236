import { walletMessages } from "#app/features/wallet/messages.ts";

/** Links to the pass of the card at `path`, as plain links. On a computer also to the code that a phone scans. Needs `walletCss`. */
export function WalletBadges({ path, codeId }: { path: string; codeId: string }) {
  const pass = `${path}/pass.pkpass`;
  const toast = Object.values(walletMessages.ready).join("|");
  return (
    <div className="wallets">
      <a className="badge apple" href={pass} rel="nofollow" data-toast={toast}>
        <WalletDrawing />
        <span dir="ltr">
          <small>Add to</small> Apple Wallet
        </span>
      </a>
      {/* Wallet apps of Android open the same file. */}
      <a className="badge android" href={pass} rel="nofollow">
        <WalletDrawing />
        <span dir="ltr">
          <small>Add to</small> Wallet
        </span>
      </a>
      <button className="button" type="button" popoverTarget={codeId}>
        Continue on your phone
      </button>
    </div>
  );
}

/** Cards in a pocket. */
function WalletDrawing() {
  return (
    <svg width="30" height="24" viewBox="0 0 30 24" aria-hidden="true">
      <rect width="30" height="24" rx="4" fill="#fff" />
      <path d="M2 6V4q0-2 2-2h22q2 0 2 2v2z" fill="#4aa8dc" />
      <path d="M2 6h26v4H2z" fill="#f2b53c" />
      <path d="M2 10h26v4H2z" fill="#e0412b" />
      <path d="M2 14h8q1 0 1.6 1.2a4 4 0 0 0 6.8 0Q19 14 20 14h8v6q0 2-2 2H4q-2 0-2-2z" fill="#333" />
    </svg>
  );
}
