/** The texts of wallets: connecting one, and signing in with it. */
export const walletMessages = {
  name: "Ethereum wallet",
  refused: {
    title: "The wallet couldn’t be checked",
    text: "The request was used or has expired, or another account signed it. Try again.",
  },
  connected: "Ethereum wallet connected",
  disconnected: "Ethereum wallet disconnected",
  notConnected: "The wallet wasn’t connected",
  connectedElsewhere: {
    title: "Failed to connect account",
    text: "This wallet is connected to another account here.",
  },
  connectedBefore: { title: "Failed to connect account", text: "Disconnect your current wallet first." },
} as const;

/** "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045" -> "0xd8dA…6045". */
export function shortAddress(address: string): string {
  return `${address.slice(0, 6)}…${address.slice(-4)}`;
}
