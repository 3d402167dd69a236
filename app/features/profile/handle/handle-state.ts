import { useEffect, useState } from "react";

import { parseJsonObject } from "#app/ui/forms/submit-in-place.ts";

import { checkHandle } from "./handle-rules.ts";

/** The JSON of `/profile/handle`. "" for no problem, and for no suggestion. */
export type HandleResponse = { problem: string; suggestion: string };

export type HandleCheck =
  /** Empty, or already the owner's. */
  | { kind: "unchanged" }
  | { kind: "checking" }
  | { kind: "free" }
  | { kind: "refused"; problem: string; suggestion: string }
  /** The server couldn't be asked: the save tells. */
  | { kind: "unknown" };

/** Checks a handle while it is typed: its form at once, and whether it is taken when typing pauses. */
export function useHandleCheck(typed: string, saved: string): HandleCheck {
  const checked = checkHandle(typed);
  const handle = "handle" in checked && checked.handle !== saved ? checked.handle : undefined;
  const [response, setResponse] = useState<{ handle: string; check: HandleCheck }>();

  // A timer and a request.
  useEffect(() => {
    if (handle === undefined) return;
    const controller = new AbortController();
    const request = () =>
      void requestCheck(handle, controller.signal).then((check) => check && setResponse({ handle, check }));
    const timer = setTimeout(request, pauseMs);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [handle]);

  if (typed.trim() === "") return { kind: "unchanged" };
  if ("problem" in checked) return { kind: "refused", problem: checked.problem, suggestion: "" };
  if (handle === undefined) return { kind: "unchanged" };
  return response?.handle === handle ? response.check : { kind: "checking" };
}

const pauseMs = 300;

/** Undefined when the request was canceled. */
async function requestCheck(handle: string, signal: AbortSignal): Promise<HandleCheck | undefined> {
  try {
    const response = await fetch(`/profile/handle?${new URLSearchParams({ handle })}`, { signal, redirect: "error" });
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
