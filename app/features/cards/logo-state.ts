import { useState } from "react";

import type { ToastWords } from "#app/ui/toast.tsx";

type SavedLogo = {
  /** Undefined before the first save. */
  cardId: string | undefined;
  stem: string | null;
  /** What it is called. */
  company: string;
  say: (words: ToastWords) => void;
};

export type Logo = SavedLogo & {
  isUploading: boolean;
  onChange: (stem: string | null) => void;
  /** 1 when an upload begins, -1 when it ended. */
  onBusy: (by: 1 | -1) => void;
};

/** The logo of a card that is edited: stored at once, whatever becomes of the form. */
export function useLogo(saved: SavedLogo): Logo {
  const [stem, setStem] = useState(saved.stem);
  const [uploads, setUploads] = useState(0);
  const onBusy = (by: 1 | -1) => setUploads((count) => count + by);
  return { ...saved, stem, isUploading: uploads > 0, onChange: setStem, onBusy };
}
