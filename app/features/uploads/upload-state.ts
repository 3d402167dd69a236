import { useEffect, useRef, useState } from "react";

import { sendFile } from "./sending.ts";
import type { SentAnswer, Sending } from "./sending.ts";

export type UploadState =
  | { kind: "idle" }
  /** `share` of the file that has arrived, from 0 to 1; at 1 the server is at work on it. */
  | { kind: "sending"; share: number }
  | { kind: "refused"; reason: string; isSignedOut: boolean };

type Stored = Extract<SentAnswer, { kind: "done" }>;

type Heard = {
  onStored: (answer: Stored, file: File) => void;
  /** 1 when an upload begins, -1 when it ended: what the page counts to know whether it may be left. */
  onBusy: (by: 1 | -1) => void;
};

/** One upload at a time. */
export function useUpload({ onStored, onBusy }: Heard) {
  const [state, setState] = useState<UploadState>({ kind: "idle" });
  const running = useRef<Sending>(undefined);
  // Whoever goes while it is under way has been asked by the page.
  useEffect(() => () => running.current?.cancel(), []);

  async function send(address: string, file: File) {
    // A second click comes before the button is drawn as busy.
    if (running.current) return;
    setState({ kind: "sending", share: 0 });
    onBusy(1);
    running.current = sendFile(address, file, (share) => setState({ kind: "sending", share }));
    const answer = await running.current.answer;
    running.current = undefined;
    onBusy(-1);
    if (answer.kind === "refused") return setState(answer);
    setState({ kind: "idle" });
    if (answer.kind === "done") onStored(answer, file);
  }

  return {
    state,
    send: (address: string, file: File) => void send(address, file),
    cancel: () => running.current?.cancel(),
    reset: () => setState({ kind: "idle" }),
  };
}
