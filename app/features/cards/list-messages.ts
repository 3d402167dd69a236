/** The texts of the list of cards. Separate from the others, because the profile editor loads the list and is close to its size limit. */
export const listMessages = {
  noCards: { title: "No business cards yet", text: "Create one to share by link, QR code or contact file." },
  mainCard:
    "Visitors of your profile open and save the card marked “On your profile”. To choose another one, open its menu.",
  noMainCard: "Your profile shows no card. To show one, open its menu.",
  unreachable: "No phone number, email or link: people who save it can’t reach you.",
  deleteConfirm: "Are you sure you want to delete this business card?",
  deletesLeads: "Leads that came in through it are deleted, too.",
  tryAgain: "Nothing was changed. Try again in a moment.",
  listFailed: "Your cards weren’t changed",
  listOffline: "Couldn’t reach the server, so nothing was changed. Try again in a moment.",
  listSignedOut: "You’re signed out. Sign in again in another tab, then try again here.",
  movedTo: (name: string, position: number, count: number) => `${name} moved to position ${position} of ${count}.`,
} as const;

/** What a change of the list answers. On the server alone, so that no browser loads it. */
export const listChangeMessages = {
  listOutcomeUnknown: "It may have worked anyway. Reload the page to check.",
  paused: {
    title: "Card paused",
    text: "Visitors see 'Card Not Found' until you unpause it.",
  },
  shownAgain: { title: "Card unpaused", text: "Anyone with the link can open it." },
  stillPrivate: { title: "Card unpaused", text: "It isn’t public, so visitors still can’t open it." },
  pauseFailed: "Failed to update the card",
  copied: { title: "Card duplicated", text: "The copy isn’t public yet." },
  copiedWithoutLogo: { title: "Card duplicated", text: "The copy isn’t public yet. The logo wasn’t copied." },
  tooManyNew: (when: string) => `You’ve created too many cards in a short time. Try again ${when}.`,
  copyFailed: "Failed to duplicate card",
  moved: "Card moved",
  moveFailed: "Failed to move card",
  main: { title: "Shown on your profile", text: "Visitors of your profile open and save this card." },
  mainHidden: { title: "Hidden from your profile", text: "Visitors can open your cards by their own links." },
  mainFailed: "Failed to update the profile",
  cardGone: "It no longer exists.",
  deleted: "Business card deleted",
  deleteFailed: "Failed to delete business card",
} as const;
