export type Copied = { text: string; html?: string };

/**
 * Whether it is in the clipboard now: as text, and for programs that take more than text as HTML too. HTML goes the old way first:
 * the new one reads it as a part of this page, whose policy then complains of each inline style.
 */
export async function copy(content: Copied): Promise<boolean> {
  if (content.html !== undefined) return copyByEvent(content) || (await tried(() => writeBoth(content)));
  return (await tried(() => navigator.clipboard.writeText(content.text))) || copyByEvent(content);
}

/** False where the owner, a policy or the browser refuses, or there is no clipboard: on pages without https. */
async function tried(write: () => Promise<void>): Promise<boolean> {
  try {
    await write();
    return true;
  } catch (error) {
    if (error instanceof DOMException || error instanceof TypeError || error instanceof ReferenceError) return false;
    throw error;
  }
}

function writeBoth({ text, html = "" }: Copied) {
  const part = (type: string, body: string) => ({ [type]: new Blob([body], { type }) });
  return navigator.clipboard.write([new ClipboardItem({ ...part("text/html", html), ...part("text/plain", text) })]);
}

/** Works on every page: the browser is told to copy, and asks what. */
function copyByEvent({ text, html }: Copied): boolean {
  let wasAsked = false;
  const answer = (event: ClipboardEvent) => {
    wasAsked = true;
    event.clipboardData?.setData("text/plain", text);
    if (html !== undefined) event.clipboardData?.setData("text/html", html);
    event.preventDefault();
  };
  document.addEventListener("copy", answer, { once: true });
  // Deprecated, and without a successor for pages that are not on https.
  // oxlint-disable-next-line typescript/no-deprecated
  const isDone = document.execCommand("copy");
  document.removeEventListener("copy", answer);
  return isDone && wasAsked;
}
