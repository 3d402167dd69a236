import { importProblems, maxImportBytes } from "./import-text.ts";

/**
 * Lets the server read a file from this device, as it is; nothing is saved by that. `holds` says whether an answer is the one that was
 * hoped for. Never rejects: a page keeps what is typed on it whatever comes back.
 */
export async function readByServer<Answer>(
  path: string,
  file: File,
  holds: (answer: object) => answer is Answer & object,
): Promise<Answer | { problem: string }> {
  if (file.size === 0) return { problem: importProblems.empty };
  if (file.size > maxImportBytes) return { problem: importProblems.tooLarge };
  try {
    const response = await fetch(path, {
      method: "POST",
      body: file,
      headers: { accept: "application/json", "content-type": "application/octet-stream" },
    });
    // Whoever is not signed in was sent to the login page.
    if (response.redirected || response.status === 401) return { problem: importProblems.signedOut };
    if (response.status === 413) return { problem: importProblems.tooLarge };
    const answer: unknown = await response.json();
    if (typeof answer !== "object" || answer === null) return { problem: importProblems.broken };
    if ("problem" in answer && typeof answer.problem === "string") return { problem: answer.problem };
    return holds(answer) ? answer : { problem: importProblems.broken };
  } catch (error) {
    // An answer that is no JSON is no answer of ours.
    if (error instanceof SyntaxError) return { problem: importProblems.broken };
    // So does a browser say that it can't send: no connection, or a file that was deleted since it was chosen.
    if (error instanceof TypeError || error instanceof DOMException) return { problem: importProblems.offline };
    throw error;
  }
}
