import { useId, useRef, useState } from "react";

import { contrastProblem, findColorProblem, readColor } from "#app/features/drawing/qr-style.ts";
import type { QrLogo } from "#app/features/drawing/qr-style.ts";
import type { ShareSubject } from "#app/features/sharing/share-subject.ts";
import { Button, ButtonLink } from "#app/ui/components/button.tsx";
import { Icon } from "#app/ui/components/icon.tsx";
import { Modal, ModalHeader, modalPadding } from "#app/ui/components/modal.tsx";
import { Panel } from "#app/ui/components/panel.tsx";

import { ChoiceField } from "#app/ui/forms/choice-field.tsx";
import { ImagePreview } from "./image-preview.tsx";
import { QrColorField } from "./qr-color-field.tsx";

/** Downloads of the QR code, plain or styled. */
export function QrPanel({ subject }: { subject: ShareSubject }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Panel title="QR code">
      <p className="text-muted">
        For screens, posters and flyers. The code always opens your current page, so you never have to reprint it.
      </p>
      <div className="mt-4 flex flex-wrap gap-2.5 max-sm:*:grow">
        <Button className="max-sm:basis-full" onClick={() => setIsOpen(true)}>
          <Icon name="qr" />
          Color and logo
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

type QrDialogProps = {
  subject: ShareSubject;
  /** What the code opens: the page, or the card's form. */
  opens?: "page" | "connect";
  onClose: () => void;
};

/** A dialog that previews a QR code with a color and logo, and downloads it. */
export function QrDialog({ subject, opens = "page", onClose }: QrDialogProps) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const [typed, setTyped] = useState("#000000");
  const [shown, setShown] = useState("#000000");
  const [logo, setLogo] = useState<QrLogo>("none");

  const problem = findColorProblem(typed);
  const choose = (text: string) => {
    setTyped(text);
    const color = readColor(text.trim());
    if (color && !contrastProblem(color)) setShown(color);
  };
  const style = { color: shown.slice(1), logo };
  const query = new URLSearchParams(opens === "connect" ? { opens, ...style } : style).toString();
  return (
    <Modal ref={dialog} className={dialogClass} labelledBy={`${id}-title`} onClose={onClose}>
      <ModalHeader id={`${id}-title`} title="QR code" onClose={() => dialog.current?.close()} />
      <div className="grid gap-x-8 gap-y-5 sm:grid-cols-[15rem_minmax(0,1fr)]">
        <ImagePreview
          src={`${subject.path}/qr.svg?size=480&${query}`}
          alt="Preview of your QR code"
          frame="mx-auto aspect-square w-full max-w-60 rounded-control border border-line bg-white forced-color-adjust-none"
        />
        <div className="grid content-start gap-5">
          <QrColorField value={typed} problem={problem} onType={choose} />
          <ChoiceField
            label="Logo in the center"
            name="logo"
            options={subject.hasAvatar ? logos : logos.slice(0, 2)}
            value={logo}
            onChoose={setLogo}
          />
        </div>
      </div>
      <DownloadLinks path={subject.path} query={query} isRefused={problem !== undefined} />
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

const logos = [
  { id: "none", label: "None" },
  { id: "seal", label: "Meishi seal" },
  { id: "avatar", label: "Your avatar" },
] as const;

const dialogClass = `max-h-[94dvh] w-full max-w-160 overflow-y-auto max-sm:mb-0 max-sm:max-w-none max-sm:rounded-b-none ${modalPadding}`;
