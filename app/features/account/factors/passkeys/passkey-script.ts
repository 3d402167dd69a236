/**
 * The script of pages with a `PasskeyButton`, in addition to the form script: shows the button where the browser supports passkeys, and on the
 * sign-in page offers passkeys in the list of the email field (conditional mediation).
 */
export const passkeyScript = `(${enhancePasskeys.toString()})(${getCredential.toString()})`;

// These functions are sent as source text: they can use nothing outside their bodies but their arguments.

/** Requests a passkey and returns its response as JSON; undefined where the browser returned none. */
async function getCredential(
  { challenge, rpId, timeout, ...rest }: PublicKeyCredentialRequestOptionsJSON,
  how: Pick<CredentialRequestOptions, "signal" | "mediation">,
): Promise<string | undefined> {
  const toBytes = (text: string) =>
    Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (character) => character.charCodeAt(0));
  const toText = (bytes: ArrayBuffer) =>
    btoa(String.fromCharCode(...new Uint8Array(bytes)))
      .replace(/\+/g, "-")
      .replace(/\//g, "_")
      .replace(/=+$/, "");
  const publicKey: PublicKeyCredentialRequestOptions = {
    challenge: toBytes(challenge),
    ...(rpId !== undefined && { rpId }),
    ...(timeout !== undefined && { timeout }),
    userVerification: rest.userVerification === "required" ? "required" : "preferred",
    allowCredentials: (rest.allowCredentials ?? []).map(({ id }) => ({ type: "public-key", id: toBytes(id) })),
  };
  const credential = await navigator.credentials.get({ publicKey, ...how });
  if (!(credential instanceof PublicKeyCredential)) return undefined;
  const { id, type, response } = credential;
  if (!(response instanceof AuthenticatorAssertionResponse)) return undefined;
  return JSON.stringify({
    id,
    rawId: id,
    type,
    clientExtensionResults: {},
    response: {
      clientDataJSON: toText(response.clientDataJSON),
      authenticatorData: toText(response.authenticatorData),
      signature: toText(response.signature),
      ...(response.userHandle && { userHandle: toText(response.userHandle) }),
    },
  });
}

function enhancePasskeys(get: typeof getCredential) {
  const root = document.querySelector("[data-form-page]");
  if (!root || !("PublicKeyCredential" in window)) return;
  let asking: AbortController | undefined;
  let isOffered = false;

  const partOf = () => root.querySelector<HTMLElement>("[data-passkey]");

  /** What the passkey returned, as JSON; undefined where the browser returned none. */
  const ask = async (purpose: string, mediation?: "conditional") => {
    asking?.abort();
    const { signal } = (asking = new AbortController());
    const body = new URLSearchParams({ purpose });
    const answer = await fetch("/auth/passkey", { method: "POST", body, signal });
    const options: PublicKeyCredentialRequestOptionsJSON = await answer.json();
    return get(options, { signal, ...(mediation && { mediation }) });
  };

  const submit = (credential: string | undefined) => {
    const field = partOf()?.querySelector<HTMLInputElement>("[name=credential]");
    if (!field || !credential) return;
    field.value = credential;
    field.form?.requestSubmit();
    // A response is used once.
    field.value = "";
  };

  const press = async (part: HTMLElement) => {
    const failure = part.querySelector("[data-passkey-failed]");
    failure?.setAttribute("hidden", "");
    try {
      submit(await ask(part.dataset["passkey"] ?? ""));
    } catch {
      // Canceled, timed out, or no connection.
      failure?.removeAttribute("hidden");
      isOffered = false;
      void offer();
    }
  };

  /** Waits in the background until the user picks a passkey in the email field. Asks again before the challenge expires. */
  const offer = async () => {
    const isPossible = await PublicKeyCredential.isConditionalMediationAvailable?.();
    if (!isPossible || isOffered || partOf()?.dataset["passkey"] !== "sign-in") return;
    isOffered = true;
    const renewal = setTimeout(() => {
      isOffered = false;
      void offer();
    }, 240_000);
    try {
      submit(await ask("sign-in", "conditional"));
      isOffered = false;
    } catch {
      // Another request took its place, or there is no connection.
    }
    clearTimeout(renewal);
  };

  const show = () => {
    const part = partOf();
    part?.querySelector("button")?.removeAttribute("hidden");
    part?.querySelector("[data-passkey-missing]")?.setAttribute("hidden", "");
    void offer();
  };

  root.addEventListener("click", (event) => {
    const button = event.target instanceof Element ? event.target.closest("[data-passkey] button") : undefined;
    const part = button?.closest<HTMLElement>("[data-passkey]");
    if (part) void press(part);
  });
  new MutationObserver(show).observe(root, { childList: true });
  show();
}
