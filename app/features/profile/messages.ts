/** The specification's texts (document 2, section 8) and, where it has none, ours. */
export const messages = {
  notFound: { title: "Profile Not Found", text: "This profile does not exist or has been removed." },
  loadFailed: "Failed to load profile",
  loadFailedText: "The fault is ours, and nothing of yours is lost.",
  saveFailed: "Failed to save profile",
  saved: "Profile saved",
  leave: "You have unsaved changes that will be lost. Are you sure you want to go back?",
  unsaved: "You have unsaved changes.",
  nameTooLong: "Use at most 50 characters for the name.",
  bioTooLong: "Use at most 160 characters for the bio.",
  themeIsPremium: "This theme comes with Premium. Choose Default, Ocean or Minimal, or upgrade.",
  themeUnknown: "Choose one of the themes shown here.",
  themeKept: "Your plan shows this profile in Default. Your theme is kept for when you upgrade.",
  handleTooLong: "Use at most 30 characters.",
  handleTaken: "This handle is taken. Choose another.",
  tooManyHandles: "You have used as many handles as a profile may have. Choose one of your earlier ones.",
  conflict: {
    title: "This profile was saved somewhere else meanwhile",
    text: "Another tab or device saved it after you opened this page. Nothing of yours is lost: choose which one to keep.",
  },
  refused: "Not saved yet: please mend what is marked. Everything you typed is still here.",
  unreadable: "The form arrived incomplete and nothing was changed: try again.",
  noRoom:
    "The server has no room left to write. Nothing was changed and what you typed is still here: try again later.",
  broken: "Something went wrong on the server. Nothing was changed and what you typed is still here: try again.",
  tooMuch: "That is more than the server takes at once. What you typed is still here: shorten it and save again.",
  unreachable: "The server could not be reached. What you typed is still here: check your connection and try again.",
  signedOut:
    "You have been signed out meanwhile. What you typed is still here: sign in in another tab, then save again.",
} as const;
