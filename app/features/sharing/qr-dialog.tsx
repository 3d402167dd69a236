import { useEffect, useId, useRef, useState } from "react";

import { Button, ButtonLink, IconButton } from "#app/ui/button.tsx";
import { Icon } from "#app/ui/icon.tsx";

import { ColorField } from "./qr-color-field.tsx";
import { readColor, refuseColor } from "./qr-style.ts";
import type { QrLogo } from "./qr-style.ts";
import { ShareChoice } from "./share-choice.tsx";
import { SharePicture } from "./share-picture.tsx";
import type { ShareSubject } from "./share-subject.ts";

/** The code in the owner's colour, with something in its middle: seen as it changes, then saved as a file or as a sheet to print. */
export function QrDialog({ subject, onClose }: { subject: ShareSubject; onClose: () => void }) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const [typed, setTyped] = useState("#000000");
  const [shown, setShown] = useState("#000000");
  const [logo, setLogo] = useState<QrLogo>("none");

  // Only the browser can open a dialog as a modal one: there is no attribute for it.
  useEffect(() => dialog.current?.showModal(), []);

  const problem = problemOf(typed);
  const choose = (text: string) => {
    setTyped(text);
    const color = readColor(text.trim());
    if (color && !refuseColor(color)) setShown(color);
  };
  const query = new URLSearchParams({ color: shown.slice(1), logo }).toString();
  return (
    <dialog ref={dialog} className={dialogLook} aria-labelledby={`${id}-title`} onClose={onClose}>
      <header className="mb-4 flex items-start justify-between gap-3">
        <h2 id={`${id}-title`} className="heading pt-1.5 text-lg">
          QR code
        </h2>
        <IconButton label="Close" onClick={() => dialog.current?.close()} className="-me-2.5">
          <Icon name="close" />
        </IconButton>
      </header>
      <div className="grid gap-x-8 gap-y-5 sm:grid-cols-[15rem_minmax(0,1fr)]">
        <SharePicture
          src={`${subject.path}/qr.svg?size=480&${query}`}
          alt="Your QR code as it will look"
          frame="mx-auto aspect-square w-full max-w-60 rounded-control border border-line bg-white forced-color-adjust-none"
        />
        <div className="grid content-start gap-5">
          <ColorField value={typed} problem={problem} onType={choose} />
          <ShareChoice
            label="In the middle"
            name="logo"
            options={subject.hasPicture ? logos : logos.slice(0, 2)}
            value={logo}
            onChoose={setLogo}
          />
        </div>
      </div>
      <Files path={subject.path} query={query} isRefused={problem !== undefined} />
      <PrintSheet path={subject.sharePath} color={shown.slice(1)} isRefused={problem !== undefined} />
    </dialog>
  );
}

function Files({ path, query, isRefused }: { path: string; query: string; isRefused: boolean }) {
  return (
    <div className="mt-6 flex flex-wrap gap-2.5 *:grow">
      <Download href={`${path}/qr.svg?size=1024&${query}`} file="qr-code.svg" isRefused={isRefused}>
        Download SVG
      </Download>
      <Download href={`${path}/qr.png?size=1024&${query}`} file="qr-code.png" isRefused={isRefused}>
        Download PNG
      </Download>
    </div>
  );
}

/** Cards to cut out: front and back, with marks. */
function PrintSheet({ path, color, isRefused }: { path: string; color: string; isRefused: boolean }) {
  const [size, setSize] = useState<(typeof sizes)[number]["id"]>("91x55");
  const [paper, setPaper] = useState<(typeof papers)[number]["id"]>("a4");
  return (
    <section aria-labelledby="print-title" className="mt-6 border-t border-line pt-5">
      <h3 id="print-title" className="font-semibold">
        Print sheet
      </h3>
      <p className="text-sm text-muted">
        Cards to cut out, front and back, with crop marks, the code in the colour above and with nothing in its middle.
        Print at 100&nbsp;%, without fitting to the page.
      </p>
      <div className="mt-4 flex flex-wrap gap-x-6 gap-y-4">
        <ShareChoice label="Card size (mm)" name="size" options={sizes} value={size} onChoose={setSize} />
        <ShareChoice label="Paper" name="paper" options={papers} value={paper} onChoose={setPaper} />
      </div>
      <div className="mt-4 flex *:grow">
        <Download
          href={`${path}/print.pdf?${new URLSearchParams({ size, paper, color })}`}
          file="business-cards.pdf"
          isRefused={isRefused}
        >
          Download PDF
        </Download>
      </div>
    </section>
  );
}

/** A link while there is something behind it: a colour that would not scan is not saved to a file. */
function Download({ href, file, isRefused, children }: DownloadProps) {
  const words = (
    <>
      <Icon name="download" />
      {children}
    </>
  );
  if (isRefused) return <Button disabled>{words}</Button>;
  return (
    <ButtonLink href={href} download={file}>
      {words}
    </ButtonLink>
  );
}

type DownloadProps = { href: string; file: string; isRefused: boolean; children: string };

function problemOf(typed: string): string | undefined {
  const color = readColor(typed.trim());
  return color ? refuseColor(color) : "Six digits from 0 to 9 and a to f, as in 1f2937.";
}

const logos = [
  { id: "none", label: "Nothing" },
  { id: "seal", label: "Seal" },
  { id: "avatar", label: "Your picture" },
] as const;

const sizes = [
  { id: "91x55", label: "91 × 55" },
  { id: "85x55", label: "85 × 55" },
] as const;

const papers = [
  { id: "a4", label: "A4" },
  { id: "letter", label: "Letter" },
] as const;

const dialogLook =
  "ui-confirm m-auto max-h-[94dvh] w-full max-w-160 overflow-y-auto overscroll-contain rounded-card border border-line-strong bg-raised p-5 text-text " +
  "shadow-card max-sm:mb-0 max-sm:max-w-none max-sm:rounded-b-none sm:p-6.5";
