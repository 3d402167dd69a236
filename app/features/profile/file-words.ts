/** The specification's texts on pictures and the resume, and ours where it has none. */
export const fileWords = {
  resumeOwn: "Your resume",
  resumeOthers: "Available for download",
  resumeOpened: "Opening resume",
  resumeDownloaded: "Resume downloaded",
  resumeViewFailed: "Failed to view resume",
  resumeDownloadFailed: "Failed to download resume",
  resumeGone: "There is no resume on this profile.",
  downloadStatus: (status: number) => `Download failed with status: ${status}`,
  unreadablePicture: "This picture can't be opened here. Choose another one, or save it as a JPEG first.",
  bannerBroken: "Banner image failed to load",
} as const;
