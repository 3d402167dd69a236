import { maxContactMethods } from "./card-fields.ts";

/** The specification's texts (document 2, section 8) and our own where it has none. */
export const messages = {
  cardNameRequired: "Card name is required",
  invalidEmail: "Invalid email",
  phoneWithoutDigit: "Enter a phone number with at least one digit.",
  tooLong: (limit: number) => `Use at most ${limit} characters.`,
  tooManyPhones: `You can add a maximum of ${maxContactMethods} phone numbers.`,
  tooManyEmails: `You can add a maximum of ${maxContactMethods} email addresses.`,
  invalidAccent: "Choose a color such as #3a5f8c.",
  accentTried: "This color comes with Premium. You can preview it, but saving keeps the color you have.",
  accentKept: "On your plan, this card uses your theme’s color. Your choice is saved and applies again with Premium.",
  ownColorHint: "We lighten or darken it where needed to keep text readable.",
  yearsRange: "Years of experience must be a number from 0 to 100",
  unsaved: "You have unsaved changes.",
  notSaved: "Not saved. What you typed is still here.",
  notSavedOffline: "Couldn’t save. Check your connection and try again.",
  refused: "Not saved. Fix the highlighted fields and save again.",
  undecided: "Not saved. Choose what to keep.",
  offline: "couldn’t reach the server. Check your connection and try again.",
  serverError: "something went wrong on our end. Try again in a moment.",
  tooLarge: "that’s too much text. Shorten it and save again.",
  signedOut: "you’re signed out. Sign in again in another tab, then save here.",
  gone: "this card no longer exists.",
  conflict: "This card was also changed in another tab or on another device",
  changeShared: (names: string, count: number) =>
    `Also change the ${names} on ${count === 1 ? "1 other card" : `${count} other cards`}`,
  changeAllShared: "Also change what I change here on my other cards that have the same value",
  saveFailed: (reason: string) => `Failed to save business card: ${reason}`,
  loadFailed: "Failed to load business card.",
  notFound: { title: "Card Not Found", text: "This business card doesn't exist or is not publicly available." },
  modalNotFound: { title: "Card not found", text: "This business card doesn't exist or is not public." },
  previewUnsaved: { title: "Save first", text: "Please save your card before previewing." },
  previewPrivate: {
    title: "Not public",
    text: "Visitors can’t open this card. Make it public and save it to see its page.",
  },
  previewPaused: {
    title: "Paused by you",
    text: "Visitors can’t open this card until you unpause it in your list of cards.",
  },
  noLinks: 'No professional links added yet. Click "Add Link" to get started.',
  reachHint:
    "Shown on your card’s page and included in the contact file. To choose only one, use the menu above the field.",
  unreachable: "People who save this card can’t reach you. Add a phone number, an email or a link.",
  nameHint: "Shown on your profile and all your cards",
  yearsHint: "For example, 8 or 2.5",
  linksHint: "Shown on your card’s page and included in the contact file.",
  logoNeedsCard: "Save the card to add a logo.",
  logoHint: "JPEG, PNG or WebP, under 5MB. Shown at up to 120 by 40 pixels. Saved right away.",
  logoBroken: "Logo image failed to load",
  logoRemove: "The company name stays on the card.",
  linkCopied: { title: "Link copied", tone: "success" },
  linkNotCopied: { title: "Couldn’t copy", text: "Select the link and copy it manually.", tone: "error" },
  publicLabel: "Make this card publicly accessible",
  publicHint: "When enabled, anyone with the link can view your business card",
  listedHint: "Search engines may also find it. To opt out, turn off “Show in search results” in your profile.",
  unlistedHint: "Search engines are asked not to list it, based on your profile settings.",
  leaveUnsaved: "You have unsaved changes that will be lost.",
  leaveUpload: "A file is still uploading. It will be lost if you leave now.",
  leave: "You have unsaved changes that will be lost. Are you sure you want to go back?",
  scan: "Scan to open this business card",
} as const;

/** What only the server says: apart from the others, so that browsers don't load it. */
export const serverMessages = {
  accentIsPremium: "This color comes with Premium. Choose another one to save.",
  accentNotSaved: "The color comes with Premium, so it stays as it was.",
  tooManyNew: (when: string) => `you’ve created too many cards in a short time. Try again ${when}.`,
  diskFull: "the server is out of disk space. Try again later.",
  created: { title: "Success", text: "Business card created successfully." },
  updated: { title: "Success", text: "Business card updated successfully." },
  alsoUpdated: (count: number) => `${count === 1 ? "1 other card was" : `${count} other cards were`} changed too.`,
  saveFailedUnexpected: "Failed to save business card.",
  saveOutcomeUnknown: "Your changes may or may not have been saved. Save again to make sure.",
  linksTaken: ({ shown, hidden, maxLinks }: { shown: number; hidden: number; maxLinks: number }): string | undefined =>
    [
      shown > 0 && "These are your profile’s links. Remove what doesn’t fit this card.",
      shown > maxLinks &&
        `Your profile shows ${shown} links, and a card can have ${maxLinks}: the last ${shown - maxLinks} were left out.`,
      hidden > 0 &&
        `${hidden === 1 ? "1 link" : `${hidden} links`} that your profile doesn’t show now ${hidden === 1 ? "was" : "were"} left out.`,
    ]
      .filter(Boolean)
      .join(" ") || undefined,
} as const;
