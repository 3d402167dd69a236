import type { CardKey } from "#app/features/kiosk/entry-content.server.ts";

import { loadCurrentPage } from "./page-client.ts";
import { countEntries, deleteOld } from "./queue-client.ts";
import { createSender } from "./sender-client.ts";

/** What the script of a page without a form needs; with the key of a card, it sends what waits for it. `serverTime` is when it was loaded. */
export type ClosedData = { closed: "removed" | "off"; cardKey?: CardKey; serverTime: number };

const retryMs = 60_000;

/** The page of a link that has no form now: says what is left on the device, and starts the form again when it is back. */
export function startClosedPage(main: HTMLElement, { cardKey, serverTime }: ClosedData): void {
  const path = location.pathname;
  // Nothing can be said about a storage that can't be read.
  const show = () => void showLeft(main).catch(() => undefined);
  const sender = cardKey && createSender({ path, keyId: cardKey.id, onChange: show, onClosed: () => undefined });
  const retry = () => {
    sender?.send();
    void restart(path);
  };
  addEventListener("online", retry);
  setInterval(retry, retryMs);
  retry();
  void deleteOld({ serverTime, ...(cardKey && { sentKeyId: cardKey.id }) })
    .catch(() => undefined)
    .then(show);
}

async function restart(path: string) {
  const page = await loadCurrentPage(path);
  if (page && !isClosed(page)) location.reload();
}

/** Whether a page is one of these. */
export function isClosed(page: Document): boolean {
  return page.querySelector<HTMLElement>("[data-kiosk]")?.dataset["kiosk"]?.startsWith('{"closed"') === true;
}

async function showLeft(main: HTMLElement) {
  const { waiting, elsewhere } = await countEntries(undefined);
  const left = waiting + elsewhere;
  const count = main.querySelector("[data-left]");
  if (count) count.textContent = left === 1 ? "1 contact is" : `${left} contacts are`;
  main.querySelector("[data-part=left]")?.toggleAttribute("hidden", left === 0);
}
