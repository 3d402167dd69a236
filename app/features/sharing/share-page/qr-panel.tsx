import { useId, useRef, useState } from "react";

import { contrastProblem, readColor } from "#app/features/sharing/qr/qr-style.ts";
import type { QrLogo } from "#app/features/sharing/qr/qr-style.ts";
import type { ShareSubject } from "#app/features/sharing/share-subject.ts";
import { Button, ButtonLink } from "#app/ui/components/button.tsx";
import { Icon } from "#app/ui/components/icon.tsx";
import { Modal, ModalHeader, modalPadding } from "#app/ui/components/modal.tsx";
import { Panel } from "#app/ui/components/panel.tsx";

import { ChoiceField } from "./choice-field.tsx";
import { ImagePreview } from "./image-preview.tsx";
import { QrColorField } from "./qr-color-field.tsx";

/** Downloads of the QR code, plain or styled, and of the print sheet. */
export function QrPanel({ subject }: { subject: ShareSubject }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Panel title="QR code">
      <p className="text-muted">
        For a screen, a poster or printed cards. What you change later shows behind the same code: it never has to be
        printed again.
      </p>
      <div className="mt-4 flex flex-wrap gap-2.5">
        <Button onClick={() => setIsOpen(true)}>
          <Icon name="qr" />
          Colour, logo, print
        </Button>
        <ButtonLink href={`${subject.path}/qr.svg`} download="qr-code.svg">
          <Icon name="download" />
          SVG
        </ButtonLink>
        <ButtonLink href={`${subject.path}/qr.png?size=1024`} download="qr-code.png">
          <Icon name="download" />
          PNG
        </ButtonLink>
      </div>
      {isOpen && <QrDialog subject={subject} onClose={() => setIsOpen(false)} />}
    </Panel>
  );
}

/** A dialog that previews a QR code with a color and logo, and downloads it as a file or a print sheet. */
export function QrDialog({ subject, onClose }: { subject: ShareSubject; onClose: () => void }) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const [typed, setTyped] = useState("#000000");
  const [shown, setShown] = useState("#000000");
  const [logo, setLogo] = useState<QrLogo>("none");

  const problem = colorProblem(typed);
  const choose = (text: string) => {
    setTyped(text);
    const color = readColor(text.trim());
    if (color && !contrastProblem(color)) setShown(color);
  };
  const query = new URLSearchParams({ color: shown.slice(1), logo }).toString();
  return (
    <Modal ref={dialog} className={dialogClass} labelledBy={`${id}-title`} onClose={onClose}>
      <ModalHeader id={`${id}-title`} title="QR code" onClose={() => dialog.current?.close()} />
      <div className="grid gap-x-8 gap-y-5 sm:grid-cols-[15rem_minmax(0,1fr)]">
        <ImagePreview
          src={`${subject.path}/qr.svg?size=480&${query}`}
          alt="Your QR code as it will look"
          frame="mx-auto aspect-square w-full max-w-60 rounded-control border border-line bg-white forced-color-adjust-none"
        />
        <div className="grid content-start gap-5">
          <QrColorField value={typed} problem={problem} onType={choose} />
          <ChoiceField
            label="In the middle"
            name="logo"
            options={subject.hasAvatar ? logos : logos.slice(0, 2)}
            value={logo}
            onChoose={setLogo}
          />
        </div>
      </div>
      <DownloadLinks path={subject.path} query={query} isRefused={problem !== undefined} />
      <PrintSheetSection path={subject.sharePath} color={shown.slice(1)} isRefused={problem !== undefined} />
    </Modal>
  );
}

function DownloadLinks({ path, query, isRefused }: { path: string; query: string; isRefused: boolean }) {
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

/** A PDF with cards to cut out: front and back, with crop marks. */
function PrintSheetSection({ path, color, isRefused }: { path: string; color: string; isRefused: boolean }) {
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
        <ChoiceField label="Card size (mm)" name="size" options={sizes} value={size} onChoose={setSize} />
        <ChoiceField label="Paper" name="paper" options={papers} value={paper} onChoose={setPaper} />
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

/** A download link, disabled while the chosen color would not scan. */
function Download({ href, file, isRefused, children }: DownloadProps) {
  const label = (
    <>
      <Icon name="download" />
      {children}
    </>
  );
  if (isRefused) return <Button disabled>{label}</Button>;
  return (
    <ButtonLink href={href} download={file}>
      {label}
    </ButtonLink>
  );
}

type DownloadProps = { href: string; file: string; isRefused: boolean; children: string };

function colorProblem(typed: string): string | undefined {
  const color = readColor(typed.trim());
  return color ? contrastProblem(color) : "Six digits from 0 to 9 and a to f, as in 1f2937.";
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

const dialogClass = `max-h-[94dvh] w-full max-w-160 overflow-y-auto max-sm:mb-0 max-sm:max-w-none max-sm:rounded-b-none ${modalPadding}`;
