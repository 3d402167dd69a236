import { kioskMessages } from "#app/features/kiosk/messages.ts";

import { countEntries } from "./queue-client.ts";
import type { QueueCounts } from "./queue-client.ts";

export type QueueStatus = { update(): Promise<void> };

/** Shows how many contacts wait on this device, in all tabs of the browser. */
export function createQueueStatus(main: HTMLElement, keyId: string): QueueStatus {
  const channel = new BroadcastChannel("meishi-kiosk");
  const show = async () => {
    const counts = await countEntries(keyId).catch(() => undefined);
    fill(main, "queue", counts ? describeQueue(counts) : "Nothing can be stored in this browser.");
    fill(main, "details", counts ? describeRest(counts) : "The form works only with a network.");
  };
  channel.addEventListener("message", () => void show());
  for (const event of ["online", "offline"]) addEventListener(event, () => void show());
  return {
    async update() {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel is for one origin
      channel.postMessage("changed");
      await show();
    },
  };
}

function describeQueue({ waiting, refused }: QueueCounts): string {
  const texts = [
    navigator.onLine ? "" : "No network.",
    waiting > 0 ? `${waiting} waiting to be sent.` : "",
    refused.length > 0 ? `${refused.length} not accepted.` : "",
  ];
  return texts.filter(Boolean).join(" ");
}

function describeRest({ waiting, elsewhere, refused }: QueueCounts): string {
  const reasons = [...new Set(refused)].map((reason) => {
    const count = refused.filter((one) => one === reason).length;
    return `${count} not accepted (${kioskMessages.refused[reason]}); deleted from this device after 90 days.`;
  });
  const texts = [
    waiting > 0 ? `${waiting} waiting to be sent.` : "Nothing is waiting to be sent.",
    elsewhere > 0 ? `${elsewhere} of other cards, sent when their kiosk page is open.` : "",
    ...reasons,
  ];
  return texts.filter(Boolean).join(" ");
}

function fill(main: HTMLElement, part: string, text: string) {
  const element = main.querySelector(`[data-part=${part}]`);
  if (element && element.textContent !== text) element.textContent = text;
}
