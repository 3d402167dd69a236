/** Why a file with LinkedIn data can't be imported. */
export const linkedInMessages = {
  pdf: "A PDF can’t be imported. For your LinkedIn profile, request your data at LinkedIn (Settings > Data privacy > Get a copy of your data), and choose the ZIP file.",
  noProfile:
    "This ZIP file has no Profile.csv. Request “Profile” at LinkedIn (Settings > Data privacy > Get a copy of your data), and choose that ZIP file.",
  encrypted: "This ZIP file has a password. Choose the file as you downloaded it from LinkedIn.",
  damaged: "This ZIP file is damaged or incomplete. Download it from LinkedIn again.",
  tooLarge: "A file in this ZIP file is larger than 1 MB. Choose the file as you downloaded it from LinkedIn.",
  columns:
    "The columns of Profile.csv aren’t the ones that LinkedIn has in English. Set your language at LinkedIn to English, and request your data again.",
  empty: "This LinkedIn data has no details that can be imported.",
} as const;
