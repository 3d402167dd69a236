import { useState } from "react";

import { Button, ButtonLink } from "#app/ui/button.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { Panel } from "#app/ui/panel.tsx";

import { QrDialog } from "./qr-dialog.tsx";
import type { ShareSubject } from "./share-subject.ts";

/** The code as a file: as it is, or with a colour and a logo of the owner's choice, or on paper. */
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
