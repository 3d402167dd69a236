/** The specification's texts (document 2, section 8) and our own. */
export const messages = {
  notFound: { title: "Profile Not Found", text: "This profile does not exist or has been removed." },
  loadFailed: "Failed to load profile",
  loadFailedText: "Something went wrong on our end. Nothing was lost.",
  saveFailed: "Failed to save profile",
  leave: "You have unsaved changes that will be lost. Are you sure you want to go back?",
  leaveUnsaved: "You have unsaved changes that will be lost.",
  unsaved: "You have unsaved changes.",
  needAttention: (count: number) => (count === 1 ? "1 field needs attention" : `${count} fields need attention`),
  nameRequired: "Enter your name.",
  nameTooLong: "Use at most 50 characters for the name.",
  bioTooLong: "Use at most 160 characters for the bio.",
  themesLocked: "Sunset, Forest and Royal come with Premium. Choose one to see it in the preview.",
  themeTried: (name: string) => `${name} comes with Premium. You can preview it, but saving keeps the theme you have.`,
  themeKept: (name: string) => `${name} comes with Premium. Visitors see Default until you have Premium again.`,
  conflict: "This profile was also changed in another tab or on another device",
  listed: "Search engines can list your profile and public cards. When off, only people with the link can find them.",
  tooLarge: "Couldn’t save: that’s too much text. Shorten it and save again.",
  offline: "Couldn’t save. Check your connection and try again.",
  signedOut: "You’re signed out. Sign in again in another tab, then save here.",
  leaveUpload: "A file is still uploading. It will be lost if you leave now.",
} as const;

/** The outcome of a save. */
export const saveMessages = {
  themeIsPremium: (name: string) =>
    `${name} comes with Premium, so nothing was saved. Choose Default, Ocean or Minimal to save your other changes.`,
  themeUnknown: "Choose one of the themes shown here.",
  handleTaken: "This handle is taken. Choose another.",
  tooManyHandles: "You’ve reached the handle limit. Choose one you’ve used before.",
  refused: "Not saved. Fix the highlighted fields and save again.",
  unreadable: "The form was incomplete, so nothing was saved. Try again.",
  diskFull: "The server is out of disk space. Nothing was saved. Try again later.",
  outcomeUnknown: "Your changes may or may not have been saved. Save again to make sure.",
  serverError: "Something went wrong on our end. Nothing was saved. Try again in a moment.",
  saved: "Profile saved",
  themeNotSaved: (name: string) => `${name} comes with Premium, so your theme stays as it was.`,
  handleTooLong: "Use at most 30 characters.",
} as const;

export const fileMessages = {
  resumeOwn: "Your resume",
  resumeOthers: "Available for download",
  resumeOpened: "Opening resume",
  resumeDownloaded: "Resume downloaded",
  resumeViewFailed: "Failed to view resume",
  resumeDownloadFailed: "Failed to download resume",
  resumeGone: "This profile has no resume.",
  downloadStatus: (status: number) => `Download failed with status: ${status}`,
  unreadableImage: "This browser can’t open the image. Choose another one, or save it as a JPEG first.",
  bannerBroken: "Banner image failed to load",
} as const;
