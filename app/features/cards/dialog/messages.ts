/** The texts of the dialog with a card's details (document 2, section 8, and our own). */
export const dialogMessages = {
  detailsSaved: { title: "Details Saved", text: "Your business card information has been updated." },
  detailsFailed: "Save Failed",
  detailsNotSaved: "Something went wrong on our end. Nothing was saved. Try again in a moment.",
  detailsOffline: "Couldn’t save. Check your connection and try again.",
  detailsSignedOut: "You’re signed out. Sign in again in another tab, then save here.",
  detailsOutcomeUnknown: "Your changes may or may not have been saved. Save again to make sure.",
  detailsDiskFull: "The server is out of disk space. Try again later.",
} as const;
