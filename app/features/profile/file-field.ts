import { useState } from "react";

import type { SentAnswer } from "#app/features/uploads/sending.ts";
import { useUpload } from "#app/features/uploads/upload-state.ts";

import type { Pictures } from "./pictures.ts";

type Stored = Extract<SentAnswer, { kind: "done" }>;

type FileField = {
  pictures: Pictures;
  /** Why a file is not even sent. */
  refuse: (file: File) => string | undefined;
  onStored: (answer: Stored, file: File) => void;
};

/** A field whose file is sent as soon as it is chosen. What failed is kept, to be sent once more. */
export function useFileField(slot: "banner" | "resume", { pictures, refuse, onStored }: FileField) {
  const [chosen, setChosen] = useState<{ file?: File; problem?: string | undefined }>({});
  const upload = useUpload({
    onBusy: pictures.onBusy,
    onStored: (answer, file) => {
      onStored(answer, file);
      pictures.say({ title: answer.message, tone: "success" });
    },
  });
  const send = (file: File) => upload.send(`/uploads/${slot}?${new URLSearchParams({ name: file.name })}`, file);
  const choose = (file: File) => {
    const problem = refuse(file);
    upload.reset();
    setChosen({ file, problem });
    if (!problem) send(file);
  };
  const { file, problem } = chosen;
  return { problem, state: upload.state, choose, retry: () => file && send(file), cancel: upload.cancel };
}
