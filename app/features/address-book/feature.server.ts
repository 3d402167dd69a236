import type { Feature } from "#app/services/features/feature.ts";

import { serveAddressBook } from "./dav/dav-handler.server.ts";
import { deleteDevicesOfOwner, listDevices } from "./device-data.server.ts";
import { serveProfile } from "./devices/profile-handler.server.ts";

const dav = { authentication: "basic", handler: serveAddressBook, maxBytes: 1_000_000 } as const;

export const feature: Feature = {
  rawRoutes: [
    { ...dav, method: "ALL", path: "/dav/*" },
    { ...dav, method: "ALL", path: "/.well-known/carddav" },
    { ...dav, method: "PROPFIND", path: "/" },
    { ...dav, method: "OPTIONS", path: "/" },
    {
      method: "GET",
      path: "/address-book/:token",
      headers: "resource",
      authentication: "secret-path",
      handler: serveProfile,
    },
  ],
  secretPaths: ["/address-book/:token"],
  subscribers: [
    {
      name: "devices of deleted accounts",
      kinds: ["account.deleted"],
      once: (_, { ownerId }, trx) => deleteDevicesOfOwner(trx, ownerId),
    },
  ],
  storedData: [
    {
      name: "device passwords",
      about: "owners",
      what: "**The names of the devices that show your leads**, the hash of each one’s password, and when it was last used",
      why: "so that your phone shows your leads, and you can see which devices do",
      howLong: "until you revoke the password",
    },
    {
      name: "removed contacts",
      about: "leads",
      what: "After your details are erased, the number under which the owner’s devices knew the contact, which says nothing about you",
      why: "so that the contact disappears from those devices as well",
      howLong: "until the owner deletes their account",
    },
  ],
  dataExport: {
    tables: ["address_book_device"],
    leftOut: {
      address_book: "counts the changes of leads, for devices",
      address_book_entry: "the names under which devices know the leads, which the export has",
    },
    explanations: [
      { name: "leadDevices", text: "In data.json: the devices that show your leads, without their passwords." },
    ],
    sections: ({ db, ownerId }) => ({ leadDevices: () => listDevices(db, ownerId) }),
  },
};
