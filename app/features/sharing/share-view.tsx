import { Icon } from "#app/ui/icon.tsx";
import type { IconName } from "#app/ui/icon.tsx";

import { markedUrl } from "./source-marks.ts";

/** What is handed on. */
export type Shared = {
  /** The panel's heading, and what stands under its code. */
  title: string;
  scan: string;
  /** The whole address; `path` is where its qr.svg and qr.png are; `text` the words that travel with it. */
  url: string;
  path: string;
  text: string;
  qr: QrDrawing;
  idPrefix: string;
};

/** `size` is the width in modules with the quiet zone, `d` the dark modules as lines of width 1. */
export type QrDrawing = { size: number; d: string };

/** The two buttons that open the panels of `ShareSheets`; with `iconsOnly` their words are for screen readers. */
export function ShareButtons({ shared, iconsOnly = false }: { shared: Shared; iconsOnly?: boolean }) {
  const className = iconsOnly ? "button round" : "button";
  const words = iconsOnly ? "unseen" : undefined;
  return (
    <>
      <button className={className} type="button" popoverTarget={`${shared.idPrefix}-qr`}>
        <Icon name="qr" />
        <span className={words}>QR Code</span>
      </button>
      <button
        className={className}
        type="button"
        popoverTarget={`${shared.idPrefix}-share`}
        data-share={markedUrl(shared.url, "link")}
      >
        <Icon name="share" />
        <span className={words}>Share</span>
      </button>
    </>
  );
}

/** The panels behind the buttons, opened and closed by the browser itself. */
export function ShareSheets({ shared }: { shared: Shared }) {
  const { title, scan, url, path, qr, idPrefix } = shared;
  return (
    <>
      <Sheet id={`${idPrefix}-qr`} title={title}>
        <svg
          className="code"
          width={qr.size * pixels}
          height={qr.size * pixels}
          viewBox={`0 0 ${qr.size} ${qr.size}`}
          shapeRendering="crispEdges"
          role="img"
          aria-label="QR code"
        >
          <path d={qr.d} fill="none" stroke="#000" />
        </svg>
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
      </Sheet>
      <Sheet id={`${idPrefix}-share`} title="Share">
        <p className="address">{url}</p>
        {/* Copying needs script: the script shows the button. */}
        <button
          className="button main"
          type="button"
          hidden
          // The visitor script shows it before React looks.
          suppressHydrationWarning
          data-copy={markedUrl(url, "link")}
          data-toast="Link copied"
        >
          <Icon name="copy" />
          Copy link
        </button>
        <ul className="ways">
          {waysToShare(shared).map(({ name, icon, href }) => (
            <li key={name}>
              <a href={href} target={href.startsWith("https:") ? "_blank" : undefined} rel="noopener noreferrer">
                <Icon name={icon} size={24} />
                {name}
              </a>
            </li>
          ))}
        </ul>
      </Sheet>
    </>
  );
}

/** The width of one module: a whole number, so that all modules are alike. */
const pixels = 6;

function Sheet({ id, title, children }: { id: string; title: string; children: React.ReactNode }) {
  return (
    <section className="sheet" id={id} popover="auto" aria-labelledby={`${id}-title`}>
      <header>
        <h2 id={`${id}-title`}>{title}</h2>
        <button className="button round" type="button" popoverTarget={id} popoverTargetAction="hide" aria-label="Close">
          <Icon name="close" />
        </button>
      </header>
      {children}
    </section>
  );
}

/** Plain links to other services' own pages; nothing is loaded from them before a visitor follows one. */
function waysToShare({ text, url }: Shared): { name: string; icon: IconName; href: string }[] {
  const words = encodeURIComponent(text.toWellFormed());
  const address = encodeURIComponent(markedUrl(url, "link"));
  return [
    { name: "Email", icon: "mail", href: `mailto:?subject=${words}&body=${address}` },
    { name: "WhatsApp", icon: "whatsapp", href: `https://wa.me/?text=${words}%20${address}` },
    { name: "LinkedIn", icon: "linkedin", href: `https://www.linkedin.com/sharing/share-offsite/?url=${address}` },
    { name: "X", icon: "x", href: `https://x.com/intent/post?text=${words}&url=${address}` },
  ];
}
