/** What owners and visitors read in kiosk mode. */
export const kioskMessages = {
  nameRequired: "Enter a name for the device.",
  tooLong: (max: number) => `Use at most ${max} characters.`,
  tooMany: (max: number) => `A card can have ${max} kiosk links. Remove one first.`,
  gone: "This kiosk link was already removed.",
  stayOnPage:
    "On an iPhone or iPad, turn on Guided Access (Settings, Accessibility) and press the side or home button three times. On Android, turn on app pinning (Settings, Security) and pin the browser in the overview.",
  mailFollows: "We’ll email you a link to change your mind.",
  worksOffline:
    "This page works without a network once it was open here with one. Offline, contacts are stored encrypted on the device and sent later.",
  notStored:
    "This device can’t store your details right now, and the server can’t be reached. They are still here. Press the button again in a moment.",
  textChanged: "The owner of this card has changed the form. Your details are still here. Press the button again.",
  refused: {
    "too-old": "filled in more than 90 days ago",
    "unknown-consent": "agreed to a text that this card never had",
    unreadable: "can’t be read by the server",
  },
} as const;
