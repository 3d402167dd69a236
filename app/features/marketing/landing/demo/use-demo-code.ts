import { useEffect, useRef, useState } from "react";

import type { CardMode } from "./demo-card.ts";

/** `src`: the image's URL. `empty`: there is no text. `lost`: the encoder could not be loaded. */
export type DemoCodeState =
  | { kind: "code"; src: string; isDense: boolean }
  | { kind: "working" | "empty" | "too-long" | "lost" };

type DemoCodeRequest = { text: string; mode: CardMode };

/**
 * The QR code of a text in a mode. The initial one comes from the server, so the encoder loads only after a change. A changed text waits
 * until typing pauses; a changed mode doesn't.
 */
export function useDemoCode({ text, mode }: DemoCodeRequest): { state: DemoCodeState; retry: () => void } {
  const [state, setState] = useState<DemoCodeState>({ kind: "code", src: initialCodeUrl, isDense: false });
  const [attempt, setAttempt] = useState(0);
  const latest = useRef({ text, mode, attempt });

  // A timer, and a script that loads on demand.
  useEffect(() => {
    const before = latest.current;
    if (before.text === text && before.mode === mode && before.attempt === attempt) return;
    latest.current = { text, mode, attempt };
    let isCanceled = false;
    const start = () => {
      setState({ kind: text ? "working" : "empty" });
      if (!text) return;
      void loadAndDraw({ text, mode }).then((next) => isCanceled || setState(next));
    };
    const timer = setTimeout(start, before.text === text || !text ? 0 : debounceMs);
    return () => {
      isCanceled = true;
      clearTimeout(timer);
    };
  }, [text, mode, attempt]);

  return { state, retry: () => setAttempt(attempt + 1) };
}

/** See demo-code-route.ts. */
const initialCodeUrl = "/demo-code.svg";

const debounceMs = 200;

/** The encoder is larger than the rest of the demo, so it loads when it is first needed. */
async function loadAndDraw({ text, mode }: DemoCodeRequest): Promise<DemoCodeState> {
  try {
    const { drawDemoCode } = await import("./demo-code.ts");
    const code = drawDemoCode(text, mode);
    if (code.kind === "code")
      return { kind: "code", src: `data:image/svg+xml,${encodeURIComponent(code.svg)}`, isDense: code.isDense };
    logFailure(code.cause);
    return { kind: "too-long" };
  } catch (error) {
    logFailure(error);
    return { kind: "lost" };
  }
}

function logFailure(cause: unknown) {
  // oxlint-disable-next-line no-console -- the browser's console is the only log there is on a visitor's device
  console.error("Failed to generate QR code", cause);
}
