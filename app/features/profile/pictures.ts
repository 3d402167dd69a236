import { useReducer, useState } from "react";

import type { ToastWords } from "#app/ui/toast.tsx";

/** What is stored beside the form: each part is saved at once, by itself. */
export type StoredFiles = {
  avatarStem: string | null;
  bannerStem: string | null;
  /** "" while there is no resume. */
  resumeFilename: string;
  /** Of the resume; null where nobody has told it yet. */
  resumeBytes: number | null;
};

/** What the fields for files need of the editor they stand in. */
export type Pictures = {
  stored: StoredFiles;
  change: (part: Partial<StoredFiles>) => void;
  say: (words: ToastWords) => void;
  /** Hears 1 when an upload begins and -1 when it ended. */
  onBusy: (by: 1 | -1) => void;
};

/** Shows the avatar that was just stored, and says so. */
export function showAvatar({ change, say }: Pictures, { stem, message }: { stem: string | null; message: string }) {
  change({ avatarStem: stem });
  say({ title: message, tone: "success" });
}

/** The files of the profile that is edited, as this page knows them: as it came, and then as it changed them. */
export function useStoredFiles(loaded: StoredFiles) {
  const [known, setKnown] = useState({ loaded, stored: loaded });
  const [toast, say] = useState<ToastWords>();
  const [uploads, onBusy] = useReducer((sum: number, by: 1 | -1) => sum + by, 0);
  // The page was asked for again, after a card was deleted say: what another tab has changed meanwhile comes with it.
  if (JSON.stringify(loaded) !== JSON.stringify(known.loaded)) setKnown({ loaded, stored: loaded });
  const change = (part: Partial<StoredFiles>) =>
    setKnown(({ loaded, stored }) => ({ loaded, stored: { ...stored, ...part } }));
  const pictures: Pictures = { stored: known.stored, change, say, onBusy };
  return { pictures, toast, isUploading: uploads > 0 };
}
