/** What the list of cards itself says, by itself: the page with the list loads no other texts of cards. */
export const listWords = {
  freeCardLimit: {
    title: "Upgrade to create more cards",
    text: "Free users can only have one business card. Please upgrade to Premium to create more.",
  },
  noCards: { title: "No business cards yet", text: "Make one to hand over by link, QR code or contact file." },
  deleteConfirm: "Are you sure you want to delete this business card?",
  tryAgain: "Nothing was changed. Try again in a moment.",
  listFailed: "Your cards are as they were",
  listOffline: "The server could not be reached, and nothing was changed. Try again in a moment.",
  listSignedOut: "You are signed out. Sign in again in another tab, then try again here.",
  movedTo: (name: string, place: number, count: number) => `${name} moved to place ${place} of ${count}.`,
} as const;
