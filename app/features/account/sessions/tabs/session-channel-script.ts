/**
 * For the script of the account pages: tells the browser's other tabs that no one is signed in, because the sign-in page can't be opened
 * with a session. Uses nothing outside its body, because it is sent as source text.
 */
export function reportSignedOut(name: string): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- only windows have one
  if (location.pathname === "/auth") new BroadcastChannel(name).postMessage("");
}
