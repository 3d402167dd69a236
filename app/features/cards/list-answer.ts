import { listWords } from "./list-words.ts";

/** How a change of the list of cards ended, in words for a toast. */
export type ListAnswer = { title: string; text?: string; tone: "success" | "warning" | "error" | "info" };

/**
 * Asks the server for a change of the list, of the page that is open: it stays as it is, with all that is typed on it, whatever comes
 * back. Not through the router, which would load a script for it, and without a connection load the page anew instead.
 */
export async function askForChange(path: string, fields: URLSearchParams): Promise<ListAnswer> {
  fields.set("here", "on");
  try {
    const response = await fetch(path, { method: "POST", body: fields, headers: { accept: "application/json" } });
    // Whoever is not signed in was sent to the login page.
    if (response.redirected || response.status === 401) return failed(listWords.listSignedOut);
    const answer: unknown = await response.json();
    return isAnswer(answer) ? answer : failed(listWords.tryAgain);
  } catch (error) {
    // An answer that is no JSON is no answer of ours.
    if (error instanceof SyntaxError) return failed(listWords.tryAgain);
    if (error instanceof TypeError) return failed(listWords.listOffline);
    throw error;
  }
}

/** Where a change of the list leads without script: back to the page of ours that it was asked on. */
export function readBack(form: FormData): string {
  const back = form.get("back");
  return typeof back === "string" && /^\/u\/[\w-]{1,64}$/.test(back) ? back : "/profile";
}

function failed(text: string): ListAnswer {
  return { title: listWords.listFailed, text, tone: "error" };
}

function isAnswer(answer: unknown): answer is ListAnswer {
  return typeof answer === "object" && answer !== null && "title" in answer && "tone" in answer;
}
