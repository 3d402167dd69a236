/** Apart from the others, for pages that need no more of them. */
export const passFailed = "Failed to generate Apple Wallet pass";

/** The specification's texts (document 2, section 8) and our own where it has none. */
export const walletMessages = {
  cardNotFound: "Card not found",
  templateRequired: {
    title: "PassKit Template Required",
    text: "You need to set up a PassKit template first. Check the console for instructions.",
  },
  fallback: {
    title: "Fallback Pass Downloaded",
    text: "PassKit integration failed. Downloaded pass structure for manual creation.",
  },
  setUp:
    "Wallet passes aren’t set up here. The operator of this site can do that with a certificate from Apple: docs/wallet.md describes each step.",
  failed: passFailed,
  timedOut: "Request timed out. Please try again.",
  busy: "Too many passes are being made right now. Try again in a moment.",
  hidden: "Visitors can’t open this card, so its passes are void. They come back with the card.",
  googleOff: "Google Wallet isn’t set up on this site at the moment. The change is sent as soon as it is.",
  loading: "Creating...",
  definitionName: "wallet-pass.json",
  /** In the card dialog. */
  readyInDialog: {
    title: "Your Wallet Pass is Ready",
    text: "Your device should now prompt you to add the pass.",
  },
  ready: { title: "Apple Wallet Pass Ready", text: "Your device should now prompt you to add the pass." },
} as const;
