/**
 * The specification's texts (document 2, section 8) and, where it has none, ours: those that the editor shows by itself. What comes with
 * an answer is in answer-words.ts, what is said of files in file-words.ts: the editor's first visit does not carry it.
 */
export const messages = {
  loadFailed: "Failed to load profile",
  loadFailedText: "The fault is ours, and nothing of yours is lost.",
  saveFailed: "Failed to save profile",
  leave: "You have unsaved changes that will be lost. Are you sure you want to go back?",
  unsaved: "You have unsaved changes.",
  nameTooLong: "Use at most 50 characters for the name.",
  bioTooLong: "Use at most 160 characters for the bio.",
  themeKept: "Your plan shows this profile in Default. Your theme is kept for when you upgrade.",
  conflict: {
    title: "This profile was saved somewhere else meanwhile",
    text: "Another tab or device saved it after you opened this page. Nothing of yours is lost: choose which one to keep.",
  },
  listed:
    "Search engines may show it. Off: they are asked to leave it and your cards out; whoever has the address still opens them.",
  tooMuch: "That is more than the server takes at once. What you typed is still here: shorten it and save again.",
  unreachable: "The server could not be reached. What you typed is still here: check your connection and try again.",
  signedOut:
    "You have been signed out meanwhile. What you typed is still here: sign in in another tab, then save again.",
  leaveUpload: "A file is still on its way. It is not kept when you leave now.",
} as const;
