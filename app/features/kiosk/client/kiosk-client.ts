import type { KioskData } from "#app/features/kiosk/tablet/kiosk-view.tsx";

import { sessionChannel } from "#app/ui/forms/submit-in-place.ts";

import { startClosedPage } from "./closed-client.ts";
import type { ClosedData } from "./closed-client.ts";
import { startKiosk } from "./visitors-client.ts";

/** The script of a kiosk's page. Without what it needs (https, storage), the form is sent by the browser, with a network. */
const main = document.querySelector<HTMLElement>("[data-kiosk]");
// Its owner's other tabs must not stay open to visitors.
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel is for one origin
if (main?.querySelector("[data-handed-over]")) new BroadcastChannel(sessionChannel).postMessage(null);
const canStore = isSecureContext && "locks" in navigator && "indexedDB" in globalThis;
if (main && canStore) {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by our server, with the page
  const data = JSON.parse(main.dataset["kiosk"] ?? "") as KioskData | ClosedData;
  if ("closed" in data) startClosedPage(main, data);
  else startKiosk(main, data);
} else {
  const status = main?.querySelector("[data-part=queue]");
  if (status) status.textContent = "Not over https: the form works only with a network.";
}
