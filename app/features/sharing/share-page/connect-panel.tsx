import type { QrDrawing } from "#app/features/drawing/qr-code.ts";
import { QrImage } from "#app/features/drawing/qr-image.tsx";
import { CopyField } from "#app/features/sharing/copy-button.tsx";
import { markedUrl } from "#app/features/sharing/source-marks.ts";
import { ButtonLink } from "#app/ui/components/button.tsx";
import { Icon } from "#app/ui/components/icon.tsx";
import { Panel } from "#app/ui/components/panel.tsx";

type ConnectPanelProps = {
  cardId: string;
  /** Of the card's page: its absolute URL and its path. */
  url: string;
  path: string;
  /** The code that opens the form. */
  code: QrDrawing;
};

/** A code and a tag link that open a card's contact form at once, without the card before it. */
export function ConnectPanel({ cardId, url, path, code }: ConnectPanelProps) {
  const tagUrl = markedUrl(`${url}/connect`, "nfc");
  const file = (kind: "svg" | "png") => `${path}/qr.${kind}?opens=connect&size=1024`;
  return (
    <Panel title="QR code and NFC tag">
      <p className="text-muted">
        This code and this tag link open the contact form at once. While the form is off, they open the card.
      </p>
      <div className="mt-4 grid gap-5">
        <div className="flex flex-wrap items-center gap-4">
          <QrImage
            code={code}
            label="QR code for the contact form"
            className="w-32 shrink-0 rounded-control bg-white forced-color-adjust-none"
          />
          <div className="flex grow basis-48 flex-wrap gap-2.5 *:grow">
            <ButtonLink className="basis-full" href={`/share/card/${cardId}/qr?opens=connect`}>
              <Icon name="qr" />
              Color and logo
            </ButtonLink>
            <ButtonLink href={file("svg")} download="form-qr-code.svg" aria-label="QR code of the contact form as SVG">
              <Icon name="download" />
              SVG
            </ButtonLink>
            <ButtonLink href={file("png")} download="form-qr-code.png" aria-label="QR code of the contact form as PNG">
              <Icon name="download" />
              PNG
            </ButtonLink>
          </div>
        </div>
        <CopyField label="Link for an NFC tag" value={tagUrl} button="Copy tag link" />
        <ButtonLink className="justify-self-start" size="s" href={`/share/card/${cardId}/nfc?opens=connect`}>
          Write a tag
        </ButtonLink>
      </div>
    </Panel>
  );
}
