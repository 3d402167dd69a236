import { Fragment, useRef, useState } from "react";

import { Button } from "#app/ui/components/button.tsx";
import { useIsHydrated } from "#app/ui/components/hydration.ts";

type CodeSampleProps = {
  what: string;
  /** "200 image/png" */
  note: string;
  code: string;
  response?: string | undefined;
  /** The response, when it is an image; its size on the page in pixels. */
  image?: { src: string; width: number; height: number } | undefined;
};

/** A request to copy, and its response. */
export function CodeSample({ what, note, code, response, image }: CodeSampleProps) {
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
      {image && (
        <div className="answer">
          <img src={image.src} width={image.width} height={image.height} alt={`Response: ${what}`} loading="lazy" />
        </div>
      )}
      {response && (
        <pre aria-label={`Response: ${what}`} role="region" className="answer">
          <code>{response}</code>
        </pre>
      )}
    </figure>
  );
}

/** Lets a long URL wrap after one of its parts, not inside a word. */
function Breakable({ text }: { text: string }) {
  return text.split(/(?<=[/?&]\b)/).map((part, index) => (
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}

/** Rendered after hydration, because it needs JavaScript. Its line is tall enough, so nothing moves when it appears. */
function CopyButton({ what, text, onRefused }: { what: string; text: string; onRefused: () => void }) {
  const isHydrated = useIsHydrated();
  const [result, setResult] = useState<"Copied" | "Couldn’t copy">();
  if (!isHydrated) return null;
  const press = async () => {
    const isCopied = await copyText(text);
    if (!isCopied) onRefused();
    setResult(isCopied ? "Copied" : "Couldn’t copy");
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
        {result === "Couldn’t copy" && "Couldn’t copy. The text is selected: copy it manually."}
      </span>
    </>
  );
}

/** Resolves to false where the browser or the user refuses, and on pages without https, which have no clipboard. */
async function copyText(text: string): Promise<boolean> {
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
