/** Shown instead of Google's page. */
export const saveMessages = {
  unavailable: {
    title: "Google Wallet isn't available",
    text: "This card can't be added to Google Wallet right now. Try again in a few minutes, or keep the card another way.",
  },
  "too-many": {
    title: "Too many requests",
    text: "Many cards were added from your network. Try again in a few minutes, or keep the card another way.",
  },
  passFile: "Download the pass",
  contactFile: "Save the contact",
} as const;
