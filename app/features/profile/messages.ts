/** The specification's texts (document 2, section 8) and our own. */
export const messages = {
  notFound: { title: "Profile Not Found", text: "This profile does not exist or has been removed." },
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
  tooLarge: "That is more than the server takes at once. What you typed is still here: shorten it and save again.",
  offline: "The server could not be reached. What you typed is still here: check your connection and try again.",
  signedOut:
    "You have been signed out meanwhile. What you typed is still here: sign in in another tab, then save again.",
  leaveUpload: "A file is still on its way. It is not kept when you leave now.",
} as const;

/** The outcome of a save. */
export const saveMessages = {
  themeIsPremium: "This theme comes with Premium. Choose Default, Ocean or Minimal, or upgrade.",
  themeUnknown: "Choose one of the themes shown here.",
  handleTaken: "This handle is taken. Choose another.",
  tooManyHandles: "You have used as many handles as a profile may have. Choose one of your earlier ones.",
  refused: "Not saved yet: the marked fields need another look. Everything you typed is still here.",
  unreadable: "The form arrived incomplete and nothing was changed: try again.",
  diskFull:
    "The server has no room left to write. Nothing was changed and what you typed is still here: try again later.",
  outcomeUnknown:
    "Your changes may or may not have been saved. What you typed is still here: save it once more to make sure.",
  serverError: "Something went wrong on the server. Nothing was changed and what you typed is still here: try again.",
  saved: "Profile saved",
  handleTooLong: "Use at most 30 characters.",
} as const;

export const fileMessages = {
  resumeOwn: "Your resume",
  resumeOthers: "Available for download",
  resumeOpened: "Opening resume",
  resumeDownloaded: "Resume downloaded",
  resumeViewFailed: "Failed to view resume",
  resumeDownloadFailed: "Failed to download resume",
  resumeGone: "There is no resume on this profile.",
  downloadStatus: (status: number) => `Download failed with status: ${status}`,
  unreadableImage: "This picture can't be opened here. Choose another one, or save it as a JPEG first.",
  bannerBroken: "Banner image failed to load",
} as const;
