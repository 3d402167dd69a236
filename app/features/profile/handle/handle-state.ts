import { useEffect, useState } from "react";

import { parseJsonObject } from "#app/ui/forms/submit-in-place.ts";

import { checkHandle, handleReserved } from "./handle-rules.ts";

/** The JSON of `/profile/handle`. "" for no problem, and for no suggestion. */
export type HandleResponse = { problem: string; suggestion: string };

export type HandleCheck =
  /** Empty, or already the owner's. */
  | { kind: "unchanged" }
  | { kind: "checking" }
  | { kind: "free" }
  | { kind: "refused"; problem: string; suggestion: string }
  /** The server couldn't be reached: saving will tell. */
  | { kind: "unknown" };

/** Checks a handle while it is typed: its form at once, and whether it is taken when typing pauses. `like` is made from the owner's name. */
export function useHandleCheck(typed: string, { saved, like }: { saved: string; like: string }): HandleCheck {
  const checked = checkHandle(typed);
  const valid = "handle" in checked && checked.handle !== saved ? checked.handle : undefined;
  // The server knows another one for a handle that is reserved.
  const handle = "problem" in checked && checked.problem === handleReserved ? typed.trim() : valid;
  const [response, setResponse] = useState<{ handle: string; check: HandleCheck }>();

  // A timer and a request.
  useEffect(() => {
    if (handle === undefined) return;
    const controller = new AbortController();
    const request = () =>
      void requestCheck({ handle, like }, controller.signal).then((check) => check && setResponse({ handle, check }));
    const timer = setTimeout(request, pauseMs);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [handle, like]);

  if (typed.trim() === "") return { kind: "unchanged" };
  const received = response?.handle === handle ? response?.check : undefined;
  if ("problem" in checked)
    return received?.kind === "refused" ? received : { kind: "refused", problem: checked.problem, suggestion: "" };
  if (handle === undefined) return { kind: "unchanged" };
  return received ?? { kind: "checking" };
}

const pauseMs = 300;

/** Undefined when the request was canceled. */
async function requestCheck(
  query: { handle: string; like: string },
  signal: AbortSignal,
): Promise<HandleCheck | undefined> {
  try {
    const response = await fetch(`/profile/handle?${new URLSearchParams(query)}`, { signal, redirect: "error" });
    return response.ok ? readCheck(await response.text()) : { kind: "unknown" };
  } catch (error) {
    if (signal.aborted) return undefined;
    // fetch rejects with a TypeError when there is no connection.
    if (error instanceof TypeError) return { kind: "unknown" };
    throw error;
  }
}

function readCheck(text: string): HandleCheck {
  const read = parseJsonObject(text) ?? {};
  const [problem, suggestion]: unknown[] = [Reflect.get(read, "problem"), Reflect.get(read, "suggestion")];
  if (typeof problem !== "string" || typeof suggestion !== "string") return { kind: "unknown" };
  return problem === "" ? { kind: "free" } : { kind: "refused", problem, suggestion };
}
