import { Fragment, useRef, useState, useSyncExternalStore } from "react";

import { Button } from "#app/ui/button.tsx";

type CodeSampleProps = {
  what: string;
  /** Beside it: "200 image/png". */
  note: string;
  code: string;
  answer?: string | undefined;
  /** What comes back, where it is a picture: its address, and how large it is shown, in pixels. */
  picture?: { src: string; width: number; height: number } | undefined;
};

/** A request to copy, and what comes back. */
export function CodeSample({ what, note, code, answer, picture }: CodeSampleProps) {
  const text = useRef<HTMLElement>(null);
  return (
    <figure className="sample">
      <figcaption>
        <span className="flex min-w-0 flex-1 flex-wrap gap-x-3 py-2">
          <span className="font-medium text-text">{what}</span>
          <span>{note}</span>
        </span>
        <CopyButton what={what} text={code} onRefused={() => select(text.current)} />
      </figcaption>
      <pre aria-label={`Request: ${what}`} role="region">
        <code ref={text}>
          <Breakable text={code} />
        </code>
      </pre>
      {picture && (
        <div className="answer">
          <img
            src={picture.src}
            width={picture.width}
            height={picture.height}
            alt={`The answer: ${what}`}
            loading="lazy"
          />
        </div>
      )}
      {answer && (
        <pre aria-label={`Answer: ${what}`} role="region" className="answer">
          <code>{answer}</code>
        </pre>
      )}
    </figure>
  );
}

/** An address that is too long for its line goes on after one of its parts, not inside of a word. */
function Breakable({ text }: { text: string }) {
  return text.split(/(?<=[/?&]\b)/).map((part, index) => (
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}

/** Only where a script runs: without one the text is selected as any other. It stands in a line that is high enough for it. */
function CopyButton({ what, text, onRefused }: { what: string; text: string; onRefused: () => void }) {
  const isHydrated = useSyncExternalStore(noChanges, isTrue, isFalse);
  const [result, setResult] = useState<"Copied" | "Press copy">();
  if (!isHydrated) return null;
  const press = async () => {
    const isCopied = await copy(text);
    if (!isCopied) onRefused();
    setResult(isCopied ? "Copied" : "Press copy");
    setTimeout(() => setResult(undefined), 5_000);
  };
  return (
    <>
      <Button variant="plain" size="s" onClick={() => void press()}>
        {result ?? "Copy"}
        <span className="sr-only">: {what}</span>
      </Button>
      <span role="status" className="sr-only">
        {result === "Copied" && "Copied"}
        {result === "Press copy" && "The browser refused to copy. The text is selected: copy it by hand."}
      </span>
    </>
  );
}

const noChanges = () => () => undefined;
const isTrue = () => true;
const isFalse = () => false;

/** False where the browser or its owner refuses, and on pages without https, which have no clipboard. */
async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch (error) {
    if (error instanceof DOMException || error instanceof TypeError) return false;
    throw error;
  }
}

function select(element: HTMLElement | null) {
  if (element) getSelection()?.selectAllChildren(element);
}
