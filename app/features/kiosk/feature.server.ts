import { maxOfflineMs } from "#app/features/leads/rules.ts";
import type { DataExport } from "#app/services/features/data-export.ts";
import type { Feature } from "#app/services/features/feature.ts";

import { deleteUnusedDevices } from "./device-data.server.ts";
import { batchLimits, unlockPath } from "./rules.ts";
import { openHandedOver, showUnlock, unlock } from "./hand-over/unlock-handler.server.ts";
import { receiveLeads } from "./tablet/batch-handler.server.ts";
import { receiveKioskForm, serveKioskWorker, showKiosk } from "./tablet/kiosk-handler.server.ts";

const kioskExport: DataExport = {
  tables: ["kiosk_device"],
  sections: ({ db, ownerId }) => ({
    kioskLinks: () =>
      db
        .selectFrom("kiosk_device")
        .select(["card_id", "name", "heading", "received", "created_at", "last_seen_at"])
        .where("owner_id", "=", ownerId)
        .orderBy("created_at")
        .execute(),
  }),
};

export const feature: Feature = {
  rawRoutes: [
    { method: "GET", path: "/kiosk/:token", handler: showKiosk },
    { method: "POST", path: "/kiosk/:token", authentication: "secret-path", handler: receiveKioskForm },
    {
      method: "POST",
      path: "/kiosk/:token/leads",
      authentication: "secret-path",
      maxBytes: batchLimits.bytes,
      isSlow: true,
      handler: receiveLeads,
    },
    { method: "GET", path: "/hand-over", handler: openHandedOver },
    { method: "GET", path: unlockPath, handler: showUnlock },
    { method: "POST", path: unlockPath, handler: unlock },
    { method: "GET", path: "/kiosk-worker.js", authentication: "none: public read", handler: serveKioskWorker },
  ],
  secretPaths: ["/kiosk/:token"],
  // The offline page of the owner finds out there that no one is signed in, and is deleted.
  handedOver: { page: "/hand-over", open: ["/hand-over", "/kiosk", "/my-qr"] },
  offline: { signOut: ["/cards/*/hand-over"] },
  subscribers: [
    {
      name: "kiosk links of deleted cards",
      kinds: ["card.deleted", "account.deleted"],
      once: async (_, event, trx) => {
        const links = trx.deleteFrom("kiosk_device");
        if (event.kind === "card.deleted") await links.where("card_id", "=", event.cardId).execute();
        else await links.where("owner_id", "=", event.ownerId).execute();
      },
    },
  ],
  storedData: [
    {
      name: "contacts on a device",
      about: "leads",
      what: "What you typed into the form on a device at a fair, on that device, encrypted so that the device itself can’t read it",
      why: "so that nothing is lost without a network",
      howLong: `until it has arrived here. What can’t be sent, because the device’s link was removed or the server doesn’t accept it, is deleted when the form is opened there ${maxOfflineMs / 86_400_000} days later or after that`,
    },
    {
      name: "handed-over phones",
      about: "owners",
      what: "That a browser was handed over to visitors, a hash of the PIN, and how many were tried",
      why: "so that only you can unlock it",
      howLong: "until you unlock it or its session ends, at most 90 days",
    },
    {
      name: "kiosk links",
      about: "owners",
      what: "Each kiosk link of a card: the name of the device, when it was last used, how many contacts it sent, and a hash of the link",
      why: "so that a device at a fair can send contacts to you without your account",
      howLong: "until you remove it, or until it wasn’t used for a year",
      deleteOld: deleteUnusedDevices,
    },
  ],
  dataExport: kioskExport,
};
