import { Icon } from "#app/ui/components/icon.tsx";
import type { IconName } from "#app/ui/components/icon.tsx";

import type { QrDrawing } from "#app/features/drawing/qr-code.ts";
import { QrImage } from "#app/features/drawing/qr-image.tsx";
import { markedUrl } from "./source-marks.ts";

/** The public page that the share panels are for. */
export type SharedPage = {
  /** The heading of the QR code panel, and the text below the code. */
  title: string;
  scan: string;
  /** The absolute URL; `path` is the base path of qr.svg and qr.png; `text` goes with the link in other services. */
  url: string;
  path: string;
  text: string;
  qr: QrDrawing;
  idPrefix: string;
};

/** Opens the panel of `ShareSheets` with the QR code. With `isIcon` its label is for screen readers only. */
export function QrButton({ shared, isIcon = false }: ShareButtonProps) {
  return (
    <button className={isIcon ? "button round" : "button"} type="button" popoverTarget={`${shared.idPrefix}-qr`}>
      <Icon name="qr" />
      <span className={isIcon ? "sr-only" : undefined}>QR Code</span>
    </button>
  );
}

/** Shares the link by the device, or opens the other panel. */
export function ShareButton({ shared, isIcon = false }: ShareButtonProps) {
  return (
    <button
      className={isIcon ? "button round" : "button"}
      type="button"
      popoverTarget={`${shared.idPrefix}-share`}
      data-share={markedUrl(shared.url, "link")}
    >
      <Icon name="share" />
      <span className={isIcon ? "sr-only" : undefined}>Share</span>
    </button>
  );
}

type ShareButtonProps = { shared: Pick<SharedPage, "url" | "idPrefix">; isIcon?: boolean };

/** The panels of the buttons, opened and closed by the browser without script. */
export function ShareSheets({ shared }: { shared: SharedPage }) {
  const { title, scan, url, path, qr, idPrefix } = shared;
  return (
    <>
      <ShareSheet id={`${idPrefix}-qr`} title={title}>
        <QrImage
          code={qr}
          label="QR code"
          className="code"
          width={qr.size * modulePixels}
          height={qr.size * modulePixels}
        />
        <p>{scan}</p>
        <div className="actions">
          <a className="button" href={`${path}/qr.svg`} download>
            <Icon name="download" />
            SVG
          </a>
          <a className="button" href={`${path}/qr.png?size=1024`} download>
            <Icon name="download" />
            PNG
          </a>
        </div>
      </ShareSheet>
      <ShareSheet id={`${idPrefix}-share`} title="Share">
        <p className="address">{url}</p>
        {/* Copying needs script: the script shows the button. */}
        <button
          className="button main"
          type="button"
          hidden
          // The visitor script removes `hidden` before React hydrates.
          suppressHydrationWarning
          data-copy={markedUrl(url, "link")}
          data-toast="Link copied"
        >
          <Icon name="copy" />
          Copy link
        </button>
        <ul className="options">
          {shareLinks(shared).map(({ name, icon, href }) => (
            <li key={name}>
              <a href={href} target={href.startsWith("https:") ? "_blank" : undefined} rel="noopener noreferrer">
                <Icon name={icon} size={24} />
                {name}
              </a>
            </li>
          ))}
        </ul>
      </ShareSheet>
    </>
  );
}

/** The width of one module in pixels: an integer, so that all modules are equally wide. */
const modulePixels = 6;

function ShareSheet({ id, title, children }: { id: string; title: string; children: React.ReactNode }) {
  return (
    <section className="sheet" id={id} popover="auto" aria-label={title}>
      <header>
        <h2>{title}</h2>
        <button className="button round" type="button" popoverTarget={id} popoverTargetAction="hide" aria-label="Close">
          <Icon name="close" />
        </button>
      </header>
      {children}
    </section>
  );
}

/** Links to the share pages of other services; nothing is loaded from them until a visitor follows one. */
export function shareLinks({
  text,
  url,
}: Pick<SharedPage, "text" | "url">): { name: string; icon: IconName; href: string }[] {
  const message = encodeURIComponent(text.toWellFormed());
  const link = encodeURIComponent(markedUrl(url, "link"));
  return [
    { name: "Email", icon: "mail", href: `mailto:?subject=${message}&body=${link}` },
    { name: "WhatsApp", icon: "whatsapp", href: `https://wa.me/?text=${message}%20${link}` },
    { name: "LinkedIn", icon: "linkedin", href: `https://www.linkedin.com/sharing/share-offsite/?url=${link}` },
    { name: "X", icon: "x", href: `https://x.com/intent/post?text=${message}&url=${link}` },
  ];
}
