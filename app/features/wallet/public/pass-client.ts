import { parseJsonObject } from "#app/ui/forms/submit-in-place.ts";
import type { ToastContent } from "#app/ui/components/toast.tsx";
import { walletMessages } from "#app/features/wallet/messages.ts";

/** The specification's limit for a pass. */
const maxMs = 30_000;

/**
 * Has the pass of a card made and opens it in the wallet of this device, or downloads what it is made of where no pass can be made. Returns
 * the toast; `ready` is that of a success. `wallet`: the only one to open, whatever the device.
 */
export async function openWalletPass(cardId: string, { ready, wallet }: OpenOptions): Promise<ToastContent> {
  const response = await requestPass(cardId);
  if ("problem" in response) return { title: "Error", text: response.problem, tone: "error" };
  const { success, passUrl, androidUrl, fallback, error, instructions } = response.body;
  const isApple = wallet === "apple" || isAppleDevice();
  const url = isApple ? (passUrl ?? androidUrl) : (androidUrl ?? passUrl);
  if (success === true && typeof url === "string") {
    openAddress(url, { isFile: url === passUrl });
    return { ...ready, tone: "success" };
  }
  if (typeof fallback === "object" && fallback !== null && "passJson" in fallback) {
    const content = JSON.stringify(fallback.passJson, undefined, 2);
    const file = URL.createObjectURL(new Blob([content], { type: "application/json" }));
    download(file, walletMessages.definitionName);
    URL.revokeObjectURL(file);
    return { ...walletMessages.fallback, tone: "warning" };
  }
  if (response.status === 404 && typeof instructions === "string") {
    // The message says that they are there.
    // oxlint-disable-next-line no-console
    console.info(instructions);
    return { ...walletMessages.templateRequired, tone: "error" };
  }
  return { title: "Error", text: typeof error === "string" ? error : walletMessages.failed, tone: "error" };
}

export function openPassInDialog(cardId: string): Promise<ToastContent> {
  return openWalletPass(cardId, { ready: walletMessages.readyInDialog });
}

type OpenOptions = { ready: (typeof walletMessages)["ready" | "readyInDialog"]; wallet?: "apple" };

type PassResponse = {
  success?: unknown;
  passUrl?: unknown;
  androidUrl?: unknown;
  fallback?: unknown;
  error?: unknown;
  instructions?: unknown;
};

async function requestPass(cardId: string): Promise<{ status: number; body: PassResponse } | { problem: string }> {
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), maxMs);
  try {
    const path = `/functions/v1/generate-wallet-pass?cardId=${encodeURIComponent(cardId)}`;
    const response = await fetch(path, { signal: timeout.signal });
    return { status: response.status, body: parseJsonObject(await response.text()) ?? {} };
  } catch (error) {
    // fetch rejects with a TypeError when there is no connection.
    if (!(error instanceof TypeError) && !timeout.signal.aborted) throw error;
    return { problem: timeout.signal.aborted ? walletMessages.timedOut : walletMessages.failed };
  } finally {
    clearTimeout(timer);
  }
}

/** Only these have Apple Wallet. */
function isAppleDevice(): boolean {
  return /iPhone|iPad|iPod|Macintosh/.test(navigator.userAgent);
}

/**
 * Safari opens a pass in Wallet when it is navigated to; elsewhere a pass is a download. Google's page opens beside this one, unless the
 * browser blocks that.
 */
function openAddress(url: string, { isFile }: { isFile: boolean }): void {
  if (isFile && !isAppleDevice()) download(url, "");
  else if (isFile || !window.open(url, "_blank")) location.assign(url);
}

/** Unlike a navigation, a download asks nothing about unsaved changes. Without a name it gets the server's. */
function download(url: string, name: string): void {
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
}
