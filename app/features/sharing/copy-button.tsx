import { useId, useRef, useState } from "react";

import { Button } from "#app/ui/components/button.tsx";
import { Icon } from "#app/ui/components/icon.tsx";
import { inputClass } from "#app/ui/forms/field.tsx";

/** A URL with a button that copies it. If the browser refuses, the URL is selected, so that it can be copied manually. */
export function CopyField({ label, value, button, variant }: CopyFieldProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  return (
    <div className="grid gap-2">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      <div className="flex flex-wrap gap-2.5 max-sm:*:grow">
        <input
          ref={input}
          id={id}
          readOnly
          dir="ltr"
          value={value}
          className={`${inputClass} h-12 grow basis-56 text-sm!`}
        />
        <CopyButton variant={variant} content={{ text: value }} onRefused={() => input.current?.select()}>
          {button}
        </CopyButton>
      </div>
    </div>
  );
}

type CopyFieldProps = { label: string; value: string; button: string; variant?: "main" };

/** Copies the content and announces next to the button whether that worked. */
export function CopyButton({ content, variant, onRefused, children, className }: CopyButtonProps) {
  const [result, setResult] = useState<"copied" | "refused">();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const copyContent = async () => {
    const isCopied = await copy(content);
    if (!isCopied) onRefused?.();
    clearTimeout(timer.current);
    setResult(isCopied ? "copied" : "refused");
    timer.current = setTimeout(() => setResult(undefined), 5_000);
  };
  return (
    <>
      <Button variant={variant ?? "quiet"} className={className} onClick={() => void copyContent()}>
        <Icon name="copy" />
        {result === "copied" ? "Copied" : children}
      </Button>
      <span role="status" className={result === "refused" ? "basis-full text-sm text-muted" : "sr-only"}>
        {result === "copied" && "Copied"}
        {result === "refused" && "Couldn’t copy. Select the text and copy it manually."}
      </span>
    </>
  );
}

type CopyButtonProps = {
  content: CopyContent;
  variant?: "main";
  /** Called when the browser refuses to copy. */
  onRefused?: () => void;
  className?: string;
  children: string;
};

export type CopyContent = { text: string; html?: string };

/**
 * Copies text, and optionally HTML, to the clipboard; false when that failed. HTML is copied by a copy event first, because the Clipboard
 * API parses it as part of this page, and the content security policy then reports each inline style.
 */
export async function copy(content: CopyContent): Promise<boolean> {
  if (content.html !== undefined) return copyByEvent(content) || (await succeeds(() => writeBoth(content)));
  return (await succeeds(() => navigator.clipboard.writeText(content.text))) || copyByEvent(content);
}

/** False when the user, a policy or the browser refuses, or when there is no Clipboard API, as on pages without https. */
async function succeeds(write: () => Promise<void>): Promise<boolean> {
  try {
    await write();
    return true;
  } catch (error) {
    if (error instanceof DOMException || error instanceof TypeError || error instanceof ReferenceError) return false;
    throw error;
  }
}

function writeBoth({ text, html = "" }: CopyContent) {
  const part = (type: string, body: string) => ({ [type]: new Blob([body], { type }) });
  return navigator.clipboard.write([new ClipboardItem({ ...part("text/html", html), ...part("text/plain", text) })]);
}

/** Copies by handling the browser's copy event, which works on every page. */
function copyByEvent({ text, html }: CopyContent): boolean {
  let wasHandled = false;
  const onCopy = (event: ClipboardEvent) => {
    wasHandled = true;
    event.clipboardData?.setData("text/plain", text);
    if (html !== undefined) event.clipboardData?.setData("text/html", html);
    event.preventDefault();
  };
  document.addEventListener("copy", onCopy, { once: true });
  // Deprecated, but pages without https have no alternative.
  // oxlint-disable-next-line typescript/no-deprecated
  const isDone = document.execCommand("copy");
  document.removeEventListener("copy", onCopy);
  return isDone && wasHandled;
}
