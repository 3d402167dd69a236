import { walletMessages } from "#app/features/wallet/messages.ts";

/** Which wallets a site has passes for. */
export type OfferedWallets = { apple: boolean; google: boolean };

type WalletBadgesProps = { cardId: string; path: string; offered: OfferedWallets };

/**
 * Links to the pass of the card at `path`, of which each device shows one. The visitor script has the pass made first, and reports on the
 * page if there is none. Needs `walletCss`.
 */
export function WalletBadges({ cardId, path, offered }: WalletBadgesProps) {
  const pass = `${path}/pass.pkpass`;
  const address = `/functions/v1/generate-wallet-pass?cardId=${encodeURIComponent(cardId)}`;
  return (
    <div className="wallets" data-texts={texts}>
      {offered.apple && (
        <a
          className="badge apple"
          href={pass}
          rel="nofollow"
          data-pass={address}
          data-ready={toToast(walletMessages.ready)}
        >
          <WalletDrawing />
          <span dir="ltr">
            <small>Add to</small> Apple Wallet
          </span>
        </a>
      )}
      {offered.google ? (
        <a className="badge google" href={`${path}/google-wallet`} rel="nofollow">
          <GoogleWalletDrawing />
          <span dir="ltr">
            <small>Add to</small> Google Wallet
          </span>
        </a>
      ) : (
        // Wallet apps of Android open the same file.
        <a
          className="badge android"
          href={pass}
          rel="nofollow"
          data-pass={address}
          data-ready={toToast(walletMessages.readyInDialog)}
        >
          <WalletDrawing />
          <span dir="ltr">
            <small>Add to</small> Wallet
          </span>
        </a>
      )}
    </div>
  );
}

const toToast = ({ title, text }: { title: string; text: string }) => `${title}|${text}`;

/** For the visitor script. */
const texts = JSON.stringify({
  loading: walletMessages.loading,
  failed: walletMessages.failed,
  timedOut: walletMessages.timedOut,
  templateRequired: toToast(walletMessages.templateRequired),
  fallback: toToast(walletMessages.fallback),
  definitionName: walletMessages.definitionName,
});

/** Cards behind each other. */
function GoogleWalletDrawing() {
  return (
    <svg width="30" height="24" viewBox="0 0 30 24" aria-hidden="true">
      <rect width="30" height="14" rx="4" fill="#34a853" />
      <rect y="4" width="30" height="14" rx="4" fill="#fbbc04" />
      <rect y="8" width="30" height="14" rx="4" fill="#ea4335" />
      <path d="M0 12q8 5 14 5t16-4v7q0 4-4 4H4q-4 0-4-4z" fill="#4285f4" />
    </svg>
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
