/** The texts of the list of cards. Apart from the other ones, because the profile's editor loads the list and has little room left. */
export const listMessages = {
  /** The specification's texts, which invite to upgrade, only where Premium can be bought. */
  cardLimitReached: (isPremiumSold: boolean) =>
    isPremiumSold
      ? {
          title: "Upgrade to create more cards",
          text: "Free users can only have one business card. Please upgrade to Premium to create more.",
        }
      : { title: "Free includes one business card", text: "You can edit the one you have." },
  noCards: { title: "No business cards yet", text: "Create one to share by link, QR code or contact file." },
  deleteConfirm: "Are you sure you want to delete this business card?",
  tryAgain: "Nothing was changed. Try again in a moment.",
  listOutcomeUnknown: "It may have worked anyway. Reload the page to check.",
  listFailed: "Your cards weren't changed",
  listOffline: "Couldn't reach the server, so nothing was changed. Try again in a moment.",
  listSignedOut: "You're signed out. Sign in again in another tab, then try again here.",
  movedTo: (name: string, position: number, count: number) => `${name} moved to position ${position} of ${count}.`,
  paused: {
    title: "Card paused",
    text: "Visitors see 'Card Not Found' until you show it again.",
  },
  shownAgain: { title: "Card shown again", text: "Anyone with the link can open it." },
  stillPrivate: { title: "Card no longer paused", text: "It isn't public, so visitors still can't open it." },
  stillBeyondPlan: {
    title: "Card no longer paused",
    text: "The Free plan shows your oldest card. This one is kept for when you upgrade.",
  },
  pauseFailed: "Failed to change the card",
  copied: { title: "Card duplicated", text: "The copy isn't public yet." },
  copiedWithoutLogo: { title: "Card duplicated", text: "The copy isn't public yet. The logo wasn't copied." },
  tooManyNew: (when: string) => `You created many cards in a short time. Try again ${when}.`,
  copyFailed: "Failed to duplicate the card",
  moved: "Card moved",
  moveFailed: "Failed to move the card",
  cardGone: "It no longer exists.",
  deleted: "Business card deleted",
  deleteFailed: "Failed to delete business card",
} as const;
