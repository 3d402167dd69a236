/** How sending a file, or asking to remove one, ended. `reason` is a whole sentence that says what can be done. */
export type SentAnswer =
  | { kind: "done"; stem: string | null; filename: string; message: string }
  | { kind: "refused"; reason: string; isSignedOut: boolean }
  | { kind: "cancelled" };

/** An upload under way. `answer` is never rejected. */
export type Sending = { answer: Promise<SentAnswer>; cancel: () => void };

/**
 * Sends a file as it is to `address` ("/uploads/banner?name=…"). By XMLHttpRequest: fetch does not tell how much has arrived.
 * `onProgress` hears a share from 0 to 1.
 */
export function sendFile(address: string, file: Blob, onProgress: (share: number) => void): Sending {
  const request = new XMLHttpRequest();
  const answer = new Promise<SentAnswer>((resolve) => {
    request.upload.addEventListener("progress", ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0));
    request.addEventListener("load", () => resolve(readAnswer(request.status, request.responseText)));
    request.addEventListener("error", () => resolve(refused(0)));
    request.addEventListener("timeout", () => resolve(refused(0)));
    request.addEventListener("abort", () => resolve({ kind: "cancelled" }));
  });
  // Sending may take as long as it takes; the server's own work may not. The limit counts from the start.
  const start = performance.now();
  request.upload.addEventListener("load", () => {
    onProgress(1);
    request.timeout = performance.now() - start + patience;
  });
  request.open("POST", address);
  request.setRequestHeader("accept", "application/json");
  request.send(file);
  return { answer, cancel: () => request.abort() };
}

/** How long the server may think about a file that has arrived, in milliseconds. */
const patience = 60_000;

/** Takes away what is stored in a slot ("avatar"). */
export async function removeFile(slot: string): Promise<SentAnswer> {
  try {
    const init = { method: "POST", headers: { accept: "application/json" } };
    const response = await fetch(`/uploads/${slot}/remove`, init);
    return readAnswer(response.status, await response.text());
  } catch (error) {
    if (error instanceof TypeError) return refused(0);
    throw error;
  }
}

/** What an answer of ours says, and what its status means where somebody else answered: a proxy that is in the way. */
export function readAnswer(status: number, text: string): SentAnswer {
  const { stem, filename, message } = readJson(text);
  if (status !== 200) return refused(status, message);
  if (message === undefined) return refused(502);
  return { kind: "done", stem: stem ?? null, filename: filename ?? "", message };
}

function refused(status: number, message?: string): SentAnswer {
  return { kind: "refused", reason: message ?? reasons[status] ?? broken, isSignedOut: status === 401 };
}

const broken = "Something went wrong on the server, and nothing was changed. Try again.";

const reasons: Partial<Record<number, string>> = {
  0: "The connection was lost before the server answered. Check it and try again.",
  401: "You have been signed out meanwhile. Sign in in another tab, then try again.",
  413: "This file is larger than the server takes.",
  429: "That was too often in a short time. Wait a few minutes, then try again.",
  503: "The server can't take a file at the moment. Try again later.",
  507: "There is no room left for this file.",
};

type Said = { stem?: string; filename?: string; message?: string };

function readJson(text: string): Said {
  if (!text.startsWith("{")) return {};
  try {
    const value: unknown = JSON.parse(text);
    return { ...said(value, "stem"), ...said(value, "filename"), ...said(value, "message") };
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}

function said(value: unknown, name: keyof Said): Said {
  if (typeof value !== "object" || value === null || !(name in value)) return {};
  const word: unknown = Reflect.get(value, name);
  return typeof word === "string" ? { [name]: word } : {};
}
