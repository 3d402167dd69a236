import type { QrDrawing } from "#app/features/sharing/qr/qr-code.ts";
import { Seal } from "#app/features/shell/brand.tsx";
import { formatDate, formatTime } from "#app/services/base/format.ts";

/** A profile or card on the offline page. */
export type OfflineSubject = {
  kind: "profile" | "card";
  label: string;
  name: string;
  work: string;
  /** The URL and path of its page, and other paths of it. The service worker serves the offline page for paths that it contains. */
  url: string;
  path: string;
  aliases: readonly string[];
  /** The code of its URL, and the code of the contact itself if that fits in one. */
  pageCode: QrDrawing;
  contactCode: QrDrawing | undefined;
};

type OfflineViewProps = {
  subjects: readonly OfflineSubject[];
  /** How many cards were left out, and the labels of the cards that visitors can't open. */
  omittedCards: number;
  hidden: readonly string[];
  storedAt: number;
  style: string;
};

/** A self-contained document with the owner's QR codes, large and on white, without scripts and requests. */
export function OfflineView({ subjects, omittedCards, hidden, storedAt, style }: OfflineViewProps) {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <meta name="theme-color" content="#0e0f12" />
        <title>Your codes | Meishi</title>
        <style dangerouslySetInnerHTML={{ __html: style }} />
      </head>
      <body>
        <header>
          <Seal size={26} />
          <h1>Your codes</h1>
        </header>
        <main>
          <p className="kept">
            No network. Kept on <time dateTime={new Date(storedAt).toISOString()}>{formatStoredAt(storedAt)}</time>.{" "}
            <a href="?">Try again</a>
          </p>
          <p className="live">
            This page opens where there is no network, on this device, until you sign out.{" "}
            <a href="/profile">Back to Profile</a>
          </p>
          {subjects.map((subject, index) => (
            <Subject key={subject.path} subject={subject} position={index} />
          ))}
          {omittedCards > 0 && (
            <p className="note">Not here: the last {omittedCards} of your cards. Their order is yours to change.</p>
          )}
          {hidden.length > 0 && <p className="note">Not here, because visitors can't open it: {hidden.join(", ")}.</p>}
          <p className="note">Turn the screen's brightness up, and hold the phones a hand's width apart.</p>
        </main>
      </body>
    </html>
  );
}

function Subject({ subject, position }: { subject: OfflineSubject; position: number }) {
  const { label, name, work, url, path, aliases, pageCode, contactCode } = subject;
  return (
    // Only one is open at a time: details elements of the same name close each other.
    <details name="subject" open={position === 0}>
      {aliases.map((alias) => (
        <data key={alias} value={alias} />
      ))}
      <summary>
        <bdi>{label}</bdi>
      </summary>
      <div className="sheet">
        {contactCode && (
          <fieldset>
            <legend className="sr-only">What the code holds</legend>
            <label>
              <input type="radio" name={`code-${position}`} value="contact" defaultChecked />
              Contact
            </label>
            <label>
              <input type="radio" name={`code-${position}`} value="page" />
              Page
            </label>
          </fieldset>
        )}
        {contactCode && (
          <div className="contact">
            <Code code={contactCode} label={`QR code with the contact of ${name}`} />
            <p>Holds the contact itself: works without network on their phone too.</p>
          </div>
        )}
        <div className={contactCode ? "page" : ""}>
          <Code code={pageCode} label={`QR code of ${name}'s page`} />
          <p>Opens your page. Their phone needs a network.</p>
        </div>
        <h2 dir="auto">{name}</h2>
        {work && <p dir="auto">{work}</p>}
        <p>
          <a href={path}>{url.replace(/^https?:\/\//, "")}</a>
        </p>
      </div>
    </details>
  );
}

function Code({ code, label }: { code: QrDrawing; label: string }) {
  return (
    <svg viewBox={`0 0 ${code.size} ${code.size}`} shapeRendering="crispEdges" role="img" aria-label={label}>
      <path d={code.d} fill="none" stroke="#000" />
    </svg>
  );
}

/** "21 November 2026, 05:44 UTC"; the service worker replaces it by the local time. */
function formatStoredAt(time: number): string {
  return `${formatDate(time)}, ${formatTime(time)} UTC`;
}

/** The inline stylesheet of the offline page, which can't load one. */
export const offlineStyle = [
  ":root{color-scheme:dark;font:16px/1.5 system-ui,sans-serif}",
  "body{max-width:440px;margin:0 auto;padding:20px 20px 40px;background:#0e0f12;color:#f4f1ea;overflow-wrap:anywhere}",
  "header{display:flex;align-items:center;gap:10px}",
  'h1,h2{margin:0;font:600 22px/1.3 "Hiragino Mincho ProN","Noto Serif",Georgia,serif}',
  "p{margin:6px 0 0}",
  "a{color:inherit;text-underline-offset:4px;display:inline-block;padding:11px 0;margin:-11px 0}",
  ".kept{display:none}",
  "[data-offline] .kept{display:block}",
  "[data-offline] .live{display:none}",
  ".kept,.live{margin:14px 0 0;padding:12px 16px;border:1px solid #3a3f49;border-radius:12px;background:#16181d;font-size:14px}",
  ".note{margin-top:16px;color:#a3a7b0;font-size:14px}",
  "details{margin-top:12px}",
  "summary{display:flex;align-items:center;justify-content:space-between;gap:16px;min-height:48px;padding:0 4px;font-weight:600;cursor:pointer}",
  "summary::-webkit-details-marker{display:none}",
  'summary::after{content:"";flex:none;width:6px;height:6px;margin:0 6px 4px;border:solid #a3a7b0;border-width:0 2px 2px 0;rotate:45deg}',
  "[open]>summary::after{margin:4px 6px 0;rotate:225deg}",
  ".sheet{padding:12px 12px 22px;border-radius:18px;background:#fff;color:#17181b;text-align:center;forced-color-adjust:none}",
  ".sheet p{color:#67645c;font-size:14px}",
  ".sheet h2{margin-top:12px}",
  "svg[role]{display:block;width:100%}",
  "fieldset{display:grid;grid-template-columns:1fr 1fr;gap:4px;margin:0;padding:4px;border:0;border-radius:14px;background:#efebe1}",
  "label{position:relative;display:grid;place-items:center;min-height:44px;border-radius:10px;font-weight:600;font-size:14px;color:#67645c;cursor:pointer}",
  "label:has(:checked){background:#fff;color:#17181b;box-shadow:0 1px 3px #0003}",
  "label:has(:focus-visible){outline:2px solid #17181b}",
  "input{position:absolute;inset:0;opacity:0;margin:0}",
  ":focus-visible{outline:2px solid;outline-offset:2px}",
  ".sheet:has([value=page]:checked) .contact,.sheet:has([value=contact]:checked) .page{display:none}",
  ".sr-only{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}",
].join("");
