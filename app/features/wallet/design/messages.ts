/** The specification's texts (document 2, sections 2 and 8), and our own, which end with a period. */
export const messages = {
  updating: { title: "Digital Pass Updating", text: "Phones that have this pass show the new design in a moment." },
  saved: { title: "Updated", text: "The design of your pass was saved." },
  failed: "Update failed",
  noOriginal: "An original image must be selected first.",
  tintFailed: "Could not apply color tint.",
  imagesFailed: "Could not load default images.",
  logoHint: "Recommended: 480x150 pixels, PNG format for transparency.",
  notConfigured: "Wallet passes aren't set up on this site yet",
  designNow:
    "Until they are, your card can't be added to a phone's wallet. You can design the pass now: it is used as soon as they are.",
  definition: "The file describes it, for those who sign passes with their own certificate.",
  setUp: "The setup page tells you which settings are missing.",
  notLoaded: "Couldn't load your pass",
  libraryFailed: (type: LibraryType) => `Failed to load your ${type}. Please try again.`,
  libraryEmpty: (type: LibraryType) => `Your asset library for ${type} is empty.`,
  uploadFailed: "Upload failed",
  void: "Visitors can't open this card. Phones that have its pass show it as no longer valid, without your details, until visitors can open it again.",
  notIncluded:
    "Your own images and color tints are part of Premium. Until you have it again, the pass shows the defaults.",
  premium: "A color tint is part of Premium.",
  premiumOnly: "This design uses a color tint or your own images, which are part of Premium. Remove them, then save.",
  unknownImage: "This image doesn't exist anymore. Choose another one.",
  gone: "This card no longer exists.",
  signedOut: "You're signed out. Sign in in another tab, then save again.",
  offline: "Your connection was lost. Check it, then save again.",
  tooLarge: "This form is too large for the server.",
  notSaved: "Something went wrong on our end. Nothing was changed. Try again.",
  diskFull: "The server is out of disk space. Nothing was changed. Try again later.",
  outcomeUnknown: "Your change may or may not have been saved. Reload the page to check.",
  conflict: "This pass was also changed in another tab or on another device",
  unsaved: "You have unsaved changes.",
  leave: "You have unsaved changes that will be lost. Are you sure you want to go back?",
} as const;

type LibraryType = "backgrounds" | "logos";
