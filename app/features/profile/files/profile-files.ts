import { useReducer, useState } from "react";

import { useUpload } from "#app/features/uploads/upload-client.ts";
import type { UploadResponse } from "#app/features/uploads/upload-client.ts";
import type { Slot } from "#app/features/uploads/rules.ts";
import type { ToastContent } from "#app/ui/components/toast.tsx";

/** The files of a profile. Each is saved on its own as soon as it is uploaded, not with the form. */
export type StoredFiles = {
  avatarKey: string | null;
  bannerKey: string | null;
  /** "" while there is no resume. */
  resumeFilename: string;
  /** The size of the resume, or null if it isn't known. */
  resumeBytes: number | null;
};

/** What the file fields need of the editor. */
export type ProfileFiles = {
  stored: StoredFiles;
  change: (part: Partial<StoredFiles>) => void;
  notify: (toast: ToastContent) => void;
  /** Called with 1 when an upload begins and with -1 when it ends. */
  onBusy: (by: 1 | -1) => void;
};

export function showStoredAvatar(
  { change, notify }: ProfileFiles,
  { keyPrefix, message }: { keyPrefix: string | null; message: string },
) {
  change({ avatarKey: keyPrefix });
  notify({ title: message, tone: "success" });
}

/** The profile's files as loaded, with the changes made on this page. */
export function useStoredFiles(loaded: StoredFiles) {
  const [state, setState] = useState({ loaded, stored: loaded });
  const [toast, notify] = useState<ToastContent>();
  const [uploads, onBusy] = useReducer((sum: number, by: 1 | -1) => sum + by, 0);
  // The page's data was reloaded, for example after a card was deleted, and another tab has changed a file.
  if (JSON.stringify(loaded) !== JSON.stringify(state.loaded)) setState({ loaded, stored: loaded });
  const change = (part: Partial<StoredFiles>) =>
    setState(({ loaded, stored }) => ({ loaded, stored: { ...stored, ...part } }));
  const files: ProfileFiles = { stored: state.stored, change, notify, onBusy };
  return { files, toast, isUploading: uploads > 0 };
}

type UploadedFile = Extract<UploadResponse, { kind: "done" }>;

type FileFieldOptions = {
  files: ProfileFiles;
  /** Returns why a file isn't even uploaded. */
  validate: (file: File) => string | undefined;
  onStored: (response: UploadedFile, file: File) => void;
};

/** A field that uploads a file as soon as it is chosen, and can retry a failed upload. */
export function useFileField(slot: Slot, { files, validate, onStored }: FileFieldOptions) {
  const [chosen, setChosen] = useState<{ file?: File; error?: string | undefined }>({});
  const upload = useUpload({
    onBusy: files.onBusy,
    onStored: (response, file) => {
      onStored(response, file);
      files.notify({ title: response.message, tone: "success" });
    },
  });
  const send = (file: File) => upload.send(`/uploads/${slot}?${new URLSearchParams({ name: file.name })}`, file);
  const choose = (file: File) => {
    const error = validate(file);
    upload.reset();
    setChosen({ file, error });
    if (!error) send(file);
  };
  const { file, error } = chosen;
  return { error, state: upload.state, choose, retry: () => file && send(file), cancel: upload.cancel };
}
