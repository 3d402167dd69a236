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
    "Wallet passes aren't set up here. The operator of this site can do that with a certificate from Apple: docs/wallet.md describes each step.",
  failed: "Failed to generate Apple Wallet pass",
  timedOut: "Request timed out. Please try again.",
  busy: "Too many passes are being made right now. Try again in a moment.",
  ready: { title: "Apple Wallet Pass Ready", text: "Your device should now prompt you to add the pass." },
} as const;
