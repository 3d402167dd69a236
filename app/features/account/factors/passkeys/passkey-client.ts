/**
 * Makes a passkey on this device and returns the response for the server as JSON: undefined if the user or the browser refused, "elsewhere"
 * when the browser is loading another page, where the user has to prove who they are first.
 */
export async function createPasskey(): Promise<string | undefined> {
  try {
    const response = await fetch("/account/two-step/passkey", { method: "POST" });
    if (response.redirected) {
      location.assign(response.url);
      return "elsewhere";
    }
    if (!response.ok) return undefined;
    // Loaded when it is needed: other users of the page don't pay for it.
    const { startRegistration } = await import("@simplewebauthn/browser");
    return JSON.stringify(await startRegistration({ optionsJSON: await response.json() }));
  } catch {
    // Canceled, timed out, no connection, or the device has a passkey of this account.
    return undefined;
  }
}
