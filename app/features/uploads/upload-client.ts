import { useEffect, useRef, useState } from "react";

import { parseJsonObject, submitInPlace } from "#app/ui/forms/submit-in-place.ts";

/** The outcome of sending or removing a file. `reason` is a sentence that tells the user what to do. */
export type UploadResponse =
  | { kind: "done"; keyPrefix: string | null; filename: string; message: string }
  | { kind: "refused"; reason: string; isSignedOut: boolean }
  | { kind: "canceled" };

/** A running upload. `response` never rejects. */
export type RunningUpload = { response: Promise<UploadResponse>; cancel: () => void };

/**
 * Sends a file unchanged to a URL ("/uploads/banner?name=…"). Uses XMLHttpRequest, because fetch doesn't report progress. `onProgress` gets
 * the sent share, from 0 to 1.
 */
export function sendFile(url: string, file: Blob, onProgress: (share: number) => void): RunningUpload {
  const request = new XMLHttpRequest();
  const response = new Promise<UploadResponse>((resolve) => {
    request.upload.addEventListener("progress", ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0));
    request.addEventListener("load", () => resolve(readUploadResponse(request.status, request.responseText)));
    request.addEventListener("error", () => resolve(refusedResponse(0)));
    request.addEventListener("timeout", () => resolve(refusedResponse(0)));
    request.addEventListener("abort", () => resolve({ kind: "canceled" }));
  });
  // Limits the server's work, but not the sending. The browser counts the timeout from the start of the request.
  const start = performance.now();
  request.upload.addEventListener("load", () => {
    onProgress(1);
    request.timeout = performance.now() - start + serverTimeoutMs;
  });
  request.open("POST", url);
  request.setRequestHeader("accept", "application/json");
  request.send(file);
  return { response, cancel: () => request.abort() };
}

/** How long the server may process a file that has arrived. */
const serverTimeoutMs = 60_000;

/** Removes what is stored in a slot ("avatar"). */
export async function removeFile(slot: string): Promise<UploadResponse> {
  const { status, text } = await submitInPlace(`/uploads/${slot}/remove`);
  return readUploadResponse(status, text);
}

/** Reads our JSON response, or explains the status of a response that isn't ours, such as a proxy's. */
export function readUploadResponse(status: number, text: string): UploadResponse {
  const { keyPrefix, filename, message } = readFields(text);
  if (status !== 200) return refusedResponse(status, message);
  if (message === undefined) return refusedResponse(502);
  return { kind: "done", keyPrefix: keyPrefix ?? null, filename: filename ?? "", message };
}

function refusedResponse(status: number, message?: string): UploadResponse {
  return { kind: "refused", reason: message ?? statusMessages[status] ?? unknownProblem, isSignedOut: status === 401 };
}

const unknownProblem = "Something went wrong on our end. Nothing was changed. Try again.";

const statusMessages: Partial<Record<number, string>> = {
  0: "Your connection was lost. Check it and try again.",
  401: "You’re signed out. Sign in again in another tab, then try again.",
  413: "This file is too large for the server.",
  429: "Too many attempts in a short time. Wait a few minutes, then try again.",
  503: "The server can’t accept files right now. Try again later.",
  507: "Not enough space for this file.",
};

type ResponseFields = { keyPrefix?: string; filename?: string; message?: string };

function readFields(text: string): ResponseFields {
  const response = parseJsonObject(text) ?? {};
  return { ...textField(response, "keyPrefix"), ...textField(response, "filename"), ...textField(response, "message") };
}

function textField(response: object, name: keyof ResponseFields): ResponseFields {
  const value: unknown = Reflect.get(response, name);
  return typeof value === "string" ? { [name]: value } : {};
}

export type UploadState =
  | { kind: "idle" }
  /** `share` is the sent share of the file, from 0 to 1; at 1 the server processes it. */
  | { kind: "sending"; share: number }
  | { kind: "refused"; reason: string; isSignedOut: boolean };

type StoredResponse = Extract<UploadResponse, { kind: "done" }>;

type UseUploadOptions = {
  onStored: (response: StoredResponse, file: File) => void;
  /** Called with 1 when an upload starts and with -1 when it ends, so that the page can count running uploads. */
  onBusy: (by: 1 | -1) => void;
};

/** One upload at a time. */
export function useUpload({ onStored, onBusy }: UseUploadOptions) {
  const [state, setState] = useState<UploadState>({ kind: "idle" });
  const running = useRef<RunningUpload>(undefined);
  // The page has asked the user before it was left.
  useEffect(() => () => running.current?.cancel(), []);

  async function send(url: string, file: File) {
    // A second click may come before the button is rendered as busy.
    if (running.current) return;
    setState({ kind: "sending", share: 0 });
    onBusy(1);
    running.current = sendFile(url, file, (share) => setState({ kind: "sending", share }));
    const response = await running.current.response;
    running.current = undefined;
    onBusy(-1);
    if (response.kind === "refused") return setState(response);
    setState({ kind: "idle" });
    if (response.kind === "done") onStored(response, file);
  }

  return {
    state,
    send: (url: string, file: File) => void send(url, file),
    cancel: () => running.current?.cancel(),
    reset: () => setState({ kind: "idle" }),
  };
}
