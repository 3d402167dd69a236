import { defaultRetentionMonths, expiryNoticeMs, quarantineMs, retentionChoices } from "#app/features/leads/rules.ts";
import type { Feature } from "#app/services/features/feature.ts";

import { deleteErasedHashes, deleteExpired, erasedHashMs, expireLeads } from "./expiry-data.server.ts";

const dayMs = 86_400_000;

/** What is stored about visitors who share their contact, and about the owners they share it with. */
export const storedLeadData: NonNullable<Feature["storedData"]> = [
  {
    name: "leads",
    about: "leads",
    what: "What you typed into someone’s form: the fields it shows, your answers, the time, and how you came to it. Or what an owner typed or read from your paper card after you gave it to them; a picture of it isn’t stored",
    why: "so that the owner of the card can answer you, which you agree to with the form, or in person as the owner confirms",
    howLong: `as long as the text that you agreed to says (${defaultRetentionMonths} months, unless the owner chose another time; at most ${Math.max(...retentionChoices)}). The owner is told ${expiryNoticeMs / dayMs} days in advance`,
    deleteOld: expireLeads,
  },
  {
    name: "proof of consent",
    about: "leads",
    what: "The proof of your consent: the text and its version, the time, the purpose, and when you withdrew it. After you withdraw, your details are removed, and a keyed hash is left of your address",
    why: "because the owner of the card must be able to show that you agreed (GDPR, Article 7)",
    howLong: "until the same day, or until you erase it",
    deleteOld: (services) => deleteExpired(services, "proof"),
  },
  {
    name: "recipients of leads",
    about: "leads",
    what: "The email addresses that your details were forwarded to, and when, if you agreed that the owner of the card passes them on",
    why: "so that each of them is asked to delete your details when you want that (GDPR, Article 19)",
    howLong: "as long as your details",
  },
  {
    name: "notes about leads",
    about: "leads",
    what: "What the owner of the card notes about you: a status, tags, a day to answer you, and a text. Details that they correct or add: your name, title, company, website, email addresses and phone numbers; what you typed stays beside them",
    why: "so that they can answer you, and know what they did",
    howLong: "as long as your details",
  },
  {
    name: "replies to leads",
    about: "leads",
    what: "The text and the time of each reply that the owner of the card emails you from here",
    why: "so that they know what they answered",
    howLong: "as long as your details",
  },
  {
    name: "quarantined leads",
    about: "leads",
    what: "A form that looks like spam",
    why: "so that the owner can accept it if it isn’t",
    howLong: `${quarantineMs / dayMs} days, unless the owner accepts it`,
    deleteOld: (services) => deleteExpired(services, "quarantine"),
  },
  {
    name: "hashes of erased leads",
    about: "leads",
    what: "A keyed hash of the ID of a form that was erased, which says nothing about you",
    why: "so that a device that was offline doesn’t bring it back",
    howLong: `${erasedHashMs / dayMs} days`,
    deleteOld: deleteErasedHashes,
  },
  {
    name: "forms for leads",
    about: "owners",
    what: "**Your forms for leads**: their fields and questions, and each text that visitors were asked to agree to",
    why: "so that visitors can share their contact, and you can show what they agreed to",
    howLong: "until you delete the card; the texts, until you delete your account",
  },
];
