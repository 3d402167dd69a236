import { useEffect, useRef, useState } from "react";

import type { CardMode } from "./demo-card.ts";

/** `src` is the address of a picture. `empty`: there is nothing to draw. `lost`: what draws could not be loaded. */
export type CodeState =
  | { kind: "code"; src: string; isDense: boolean }
  | { kind: "working" | "empty" | "too-long" | "lost" };

type Wish = { text: string; mode: CardMode };

/**
 * The code for a text in a mode. The first one is a picture of the server's, so that nothing is loaded before somebody
 * changes something. A changed text waits until the typing pauses, a changed mode doesn't.
 */
export function useDemoCode({ text, mode }: Wish): { state: CodeState; retry: () => void } {
  const [state, setState] = useState<CodeState>({ kind: "code", src: firstCode, isDense: false });
  const [attempt, setAttempt] = useState(0);
  const latest = useRef({ text, mode, attempt });

  // A timer, and a script that is only loaded in a browser.
  useEffect(() => {
    const before = latest.current;
    if (before.text === text && before.mode === mode && before.attempt === attempt) return;
    latest.current = { text, mode, attempt };
    let isGone = false;
    const start = () => {
      setState({ kind: text ? "working" : "empty" });
      if (!text) return;
      void draw({ text, mode }).then((next) => isGone || setState(next));
    };
    const timer = setTimeout(start, before.text === text || !text ? 0 : debounce);
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, [text, mode, attempt]);

  return { state, retry: () => setAttempt(attempt + 1) };
}

/** See demo-code-route.ts. */
const firstCode = "/demo-code.svg";

/** Milliseconds. */
const debounce = 200;

/** The encoder weighs more than the rest of the demo: it comes when it is first needed. */
async function draw({ text, mode }: Wish): Promise<CodeState> {
  try {
    const { drawCode } = await import("./demo-code.ts");
    const code = drawCode(text, mode);
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
