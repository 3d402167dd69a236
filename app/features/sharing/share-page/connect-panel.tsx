import { useState } from "react";

import { CopyField } from "#app/features/sharing/copy-button.tsx";
import type { QrDrawing } from "#app/features/drawing/qr-code.ts";
import { QrImage } from "#app/features/drawing/qr-image.tsx";
import type { ShareSubject } from "#app/features/sharing/share-subject.ts";
import { markedUrl } from "#app/features/sharing/source-marks.ts";
import { Button, ButtonLink } from "#app/ui/components/button.tsx";
import { useBrowserValue } from "#app/ui/components/hydration.ts";
import { Icon } from "#app/ui/components/icon.tsx";
import { Panel } from "#app/ui/components/panel.tsx";

import { canWriteTags, TagWriter } from "./nfc-panel.tsx";
import { QrDialog } from "./qr-panel.tsx";

type ConnectPanelProps = {
  cardId: string;
  subject: ShareSubject;
  /** The code that opens the form; undefined while the form is off. */
  code: QrDrawing | undefined;
};

/** The form with which visitors share their contact: a code and a tag that open it at once, without the card before it. */
export function ConnectPanel({ cardId, subject, code }: ConnectPanelProps) {
  return (
    <Panel title="Contact form">
      <p className="text-muted">
        {code
          ? "Visitors of this card can send you their details. This code and this tag link open the form at once. While the form is off, they open the card."
          : "Let visitors of this card send you their details, with their consent."}
      </p>
      {code && <ConnectCode subject={subject} code={code} />}
      <div className="mt-4 flex flex-wrap gap-2.5">
        <ButtonLink size="s" href={`/cards/${cardId}/leads`}>
          {code ? "Change the form" : "Set up the form"}
        </ButtonLink>
        {code && (
          <ButtonLink size="s" href={`/cards/${cardId}/kiosk`}>
            Kiosk mode at a fair
          </ButtonLink>
        )}
      </div>
    </Panel>
  );
}

function ConnectCode({ subject, code }: { subject: ShareSubject; code: QrDrawing }) {
  const [isOpen, setIsOpen] = useState(false);
  const canWrite = useBrowserValue(canWriteTags, false);
  const tagUrl = markedUrl(`${subject.url}/connect`, "nfc");
  const file = (kind: "svg" | "png") => `${subject.path}/qr.${kind}?opens=connect&size=1024`;
  return (
    <div className="mt-4 grid gap-5">
      <div className="flex flex-wrap items-center gap-4">
        <QrImage
          code={code}
          label={`QR code for the form on ${subject.name}'s business card`}
          className="w-32 shrink-0 rounded-control bg-white forced-color-adjust-none"
        />
        <div className="flex grow basis-48 flex-wrap gap-2.5 *:grow">
          <Button className="basis-full" onClick={() => setIsOpen(true)}>
            <Icon name="qr" />
            Color and logo
          </Button>
          <ButtonLink href={file("svg")} download="form-qr-code.svg" aria-label="QR code of the form as SVG">
            <Icon name="download" />
            SVG
          </ButtonLink>
          <ButtonLink href={file("png")} download="form-qr-code.png" aria-label="QR code of the form as PNG">
            <Icon name="download" />
            PNG
          </ButtonLink>
        </div>
      </div>
      <CopyField label="Link for an NFC tag" value={tagUrl} button="Copy tag link" />
      {canWrite && <TagWriter url={tagUrl} />}
      {isOpen && <QrDialog subject={subject} opens="connect" onClose={() => setIsOpen(false)} />}
    </div>
  );
}
