// These functions are sent as source text: they can use nothing outside their bodies but their arguments.

/** What a wallet puts into the page (EIP-1193). */
type EthereumProvider = { request(call: { method: string; params?: unknown[] }): Promise<unknown> };

/** The script of pages with `WalletButtons`, in addition to the form script: a button for each wallet of the browser. */
export const walletScript = `(${enhanceWallets.toString()})(${watchWallets.toString()},${signWith.toString()})`;

/** The script of the sign-in page, in addition to the form script: shows its link to wallets once there is one. */
export const walletLinkScript = `(${revealWalletLink.toString()})(${watchWallets.toString()})`;

/** Reports each wallet of the browser with its name, now and when it is there. The name is "" for one that doesn't say it. */
function watchWallets(report: (provider: EthereumProvider, name: string) => void): void {
  const isProvider = (value: unknown): value is EthereumProvider =>
    typeof value === "object" && value !== null && "request" in value && typeof value.request === "function";
  const isNamed = (value: unknown): value is { info: { name: unknown }; provider: unknown } =>
    typeof value === "object" && value !== null && "info" in value && "provider" in value;
  // EIP-6963. Older wallets only set `window.ethereum`.
  addEventListener("eip6963:announceProvider", (event) => {
    const detail: unknown = event instanceof CustomEvent ? event.detail : undefined;
    if (isNamed(detail) && isProvider(detail.provider)) report(detail.provider, String(detail.info.name).slice(0, 40));
  });
  const reportOld = () => {
    const old: unknown = Reflect.get(window, "ethereum");
    if (isProvider(old)) report(old, "");
  };
  addEventListener("ethereum#initialized", reportOld);
  dispatchEvent(new Event("eip6963:requestProvider"));
  reportOld();
}

/** Asks a wallet for its address and for a signature of our message. Throws when its user refuses. */
async function signWith(provider: EthereumProvider, purpose: string): Promise<string> {
  const accounts = await provider.request({ method: "eth_requestAccounts" });
  const address = Array.isArray(accounts) ? String(accounts[0]) : "";
  const response = await fetch("/auth/wallet", { method: "POST", body: new URLSearchParams({ purpose, address }) });
  if (!response.ok) throw new Error("There is no message to sign.");
  const bytes = [...new TextEncoder().encode(await response.text())];
  const message = `0x${bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
  return String(await provider.request({ method: "personal_sign", params: [message, address] }));
}

function revealWalletLink(watch: typeof watchWallets) {
  const root = document.querySelector("[data-form-page]");
  let isFound = false;
  const show = () => isFound && root?.querySelector("[data-wallet-link]")?.removeAttribute("hidden");
  watch(() => {
    isFound = true;
    show();
  });
  if (root) new MutationObserver(show).observe(root, { childList: true });
}

function enhanceWallets(watch: typeof watchWallets, sign: typeof signWith) {
  const root = document.querySelector("[data-form-page]");
  const wallets: { provider: EthereumProvider; name: string }[] = [];
  let isBusy = false;

  const press = async (button: HTMLElement, provider: EthereumProvider) => {
    const part = button.closest<HTMLElement>("[data-wallets]");
    const field = part?.querySelector<HTMLInputElement>("[name=signature]");
    if (!part || !field || isBusy) return;
    const label = button.textContent;
    const failure = part.querySelector("[data-wallet-failed]");
    failure?.setAttribute("hidden", "");
    isBusy = true;
    button.setAttribute("aria-disabled", "true");
    button.textContent = "Check your wallet...";
    try {
      field.value = await sign(provider, part.dataset["wallets"] ?? "");
      field.form?.requestSubmit();
    } catch {
      // Canceled in the wallet, or no connection.
      failure?.removeAttribute("hidden");
    }
    // A signature is used once.
    field.value = "";
    isBusy = false;
    button.removeAttribute("aria-disabled");
    button.textContent = label;
  };

  const show = () => {
    const part = root?.querySelector("[data-wallets]");
    const list = part?.querySelector("[data-wallet-list]");
    const template = part?.querySelector<HTMLTemplateElement>("template")?.content.firstElementChild;
    if (!part || !list || !template || wallets.length === 0) return;
    part.querySelector("[data-wallet-missing]")?.setAttribute("hidden", "");
    // `window.ethereum` is one of the wallets that said their names.
    const named = wallets.filter(({ name }) => name !== "");
    const buttons = (named.length > 0 ? named : wallets).map(({ provider, name }) => {
      const button = template.cloneNode(true);
      button.textContent = name === "" ? "Use the wallet in this browser" : `Use ${name}`;
      if (button instanceof HTMLElement) button.addEventListener("click", () => void press(button, provider));
      return button;
    });
    list.replaceChildren(...buttons);
  };

  watch((provider, name) => {
    if (wallets.some((known) => known.provider === provider && known.name === name)) return;
    wallets.push({ provider, name });
    show();
  });
  if (root) new MutationObserver(show).observe(root, { childList: true });
}
