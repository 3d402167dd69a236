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

/** What owners read when they hand a phone over to visitors and take it back. */
export const handOverMessages = {
  title: "Hand over this phone",
  lead: "Visitors see this card’s contact form and nothing else. Your account stays locked in this browser until you enter your PIN or password.",
  pinHint: "4 to 8 digits. Your password unlocks the phone as well.",
  onlyPinHint: "4 to 8 digits. You need it to unlock the phone.",
  pinRequired: "Choose a PIN of 4 to 8 digits. You need it to unlock the phone.",
  invalidPin: "Use 4 to 8 digits.",
  tryAgain: "Couldn’t lock this browser. Try again.",
  unlock: "Unlock this phone",
  secretLabel: "PIN or password",
  secretRequired: "Enter your PIN or password.",
  wrong: (left: number) =>
    `That isn’t the PIN or password. After ${left === 1 ? "one more wrong try" : `${left} more wrong tries`} this browser is signed out.`,
  ended: { title: "Signed out", text: "This browser was signed out. Sign in to see your contacts." },
  back: "Welcome back",
  received: (count: number) =>
    count === 0
      ? undefined
      : count === 1
        ? "1 visitor shared their details."
        : `${count} visitors shared their details.`,
} as const;
