/** What the server says of a profile: that it was saved, or why not. */
export const answerWords = {
  notFound: { title: "Profile Not Found", text: "This profile does not exist or has been removed." },
  themeIsPremium: "This theme comes with Premium. Choose Default, Ocean or Minimal, or upgrade.",
  themeUnknown: "Choose one of the themes shown here.",
  handleTaken: "This handle is taken. Choose another.",
  tooManyHandles: "You have used as many handles as a profile may have. Choose one of your earlier ones.",
  refused: "Not saved yet: the marked fields need another look. Everything you typed is still here.",
  unreadable: "The form arrived incomplete and nothing was changed: try again.",
  noRoom:
    "The server has no room left to write. Nothing was changed and what you typed is still here: try again later.",
  broken: "Something went wrong on the server. Nothing was changed and what you typed is still here: try again.",
  saved: "Profile saved",
  handleTooLong: "Use at most 30 characters.",
} as const;
