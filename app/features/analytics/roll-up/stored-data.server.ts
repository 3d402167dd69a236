import { presenceMs } from "#app/services/events/live/live-presence.server.ts";
import type { Feature } from "#app/services/features/feature.ts";

import { deleteOldBatches, deleteOldHours, mergeMonths, retention } from "./retention-data.server.ts";

/** What is stored about visitors when they are counted, and about the owners who read the counts. */
export const storedAnalytics = [
  {
    name: "counts per hour",
    about: "visitors",
    what:
      "How many visits, link clicks, saved contacts, wallet passes and shared contacts each profile and card had in an hour. A count has " +
      "these properties: how the page was opened (a letter in the URL shows whether it was a QR code, a link, an NFC tag, an email " +
      "signature, a wallet pass, a print or a video call background), whether it was a phone, a tablet or a computer, the name of the " +
      "website that linked to it, and the campaign in its URL",
    why: "so that the owner of the page sees what works",
    howLong: `${retention.hoursForDays} days`,
    deleteOld: (services) => deleteOldHours(services, services.clock()),
  },
  {
    name: "countries of counts",
    about: "visitors",
    what: "The country as a property of these counts, which the network in front of this server derives from the IP address",
    why: "so that the owner of the page sees where it is opened",
    howLong: "as long as the counts",
    isStored: ({ countryHeader, trustedProxy }) => countryHeader !== undefined && trustedProxy.length > 0,
  },
  {
    name: "counts per day",
    about: "visitors",
    what: "The same counts per day, added up by hour, and by one or two of these properties",
    why: "so that the owner can compare periods",
    howLong: `${retention.daysForMonths} months, then per month and hour of the week, until the owner’s account is deleted`,
    deleteOld: (services) => mergeMonths(services, services.clock()),
  },
  {
    name: "batches of counts",
    about: "visitors",
    what: "A random number of each group of counts that was written together, which says nothing about you",
    why: "so that none counts twice after a failure",
    howLong: "a day",
    deleteOld: (services) => deleteOldBatches(services, services.clock()),
  },
  {
    name: "visitors of the last minutes",
    about: "visitors",
    what: "In the server’s memory alone: a number for someone who opened a page, made with the same random key",
    why: "so that the owner sees how many people are looking",
    howLong: `for ${presenceMs / 60_000} minutes`,
  },
  {
    name: "notes on days",
    about: "owners",
    what: "**Notes** that you write on days of your statistics",
    why: "so that you see what happened on them",
    howLong: "until you delete them or your account",
  },
] as const satisfies Feature["storedData"];
