import type { ReactNode } from "react";

import type { QrDrawing } from "#app/features/drawing/qr-code.ts";
import { QrImage } from "#app/features/drawing/qr-image.tsx";
import { Seal } from "#app/features/shell/brand.tsx";
import { formatDate, formatTime } from "#app/services/base/format.ts";

/** A profile or card whose code can be shown. */
export type MyQrSubject = {
  label: string;
  name: string;
  work: string;
  /** The URL and path of its page, and other paths of it. The service worker serves this page for paths that it contains. */
  url: string;
  path: string;
  aliases: readonly string[];
  /** The code of its URL, and the code of the contact itself if that fits in one. */
  pageCode: QrDrawing;
  contactCode: QrDrawing | undefined;
};

type MyQrViewProps = {
  subjects: readonly MyQrSubject[];
  /** How many cards were left out, and the labels of the cards that visitors can't open. */
  omittedCards: number;
  hidden: readonly string[];
  storedAt: number;
};

/** A self-contained document that shows the owner's QR codes one by one, full screen and on white, without scripts and requests. */
export function MyQrView({ subjects, omittedCards, hidden, storedAt }: MyQrViewProps) {
  return (
    <Document>
      <header>
        <h1>My QR</h1>
        <a href="/home">Close</a>
      </header>
      <main>
        <p className="kept">
          You’re offline. These codes were saved on{" "}
          <time dateTime={new Date(storedAt).toISOString()}>{formatStoredAt(storedAt)}</time>. <a href="?">Try again</a>
        </p>
        <div className="slides" role="group" aria-roledescription="carousel" aria-label="Your QR codes">
          {subjects.map((subject, index) => (
            <Slide key={subject.path} subject={subject} position={index} count={subjects.length} />
          ))}
        </div>
      </main>
      <footer>
        <p>Turn up your screen brightness. Add this page to your home screen to open it in one tap, even offline.</p>
        {omittedCards > 0 && <p>{omittedText(omittedCards)} To include others, reorder your cards.</p>}
        {hidden.length > 0 && <p>Not included, because visitors can’t open it: {hidden.join(", ")}.</p>}
      </footer>
    </Document>
  );
}

function omittedText(count: number): string {
  return count === 1 ? "Your last card isn’t included." : `Your last ${count} cards aren’t included.`;
}

/** The same address for someone who is signed out. */
export function SignedOutQrView() {
  return (
    <Document>
      <main className="message">
        <div className="card">
          <Seal size={36} />
          <h1>My QR</h1>
          <p>Sign in to show your QR codes here, full screen. Your device saves them, so they also work offline.</p>
        </div>
        <a className="button" href="/auth?returnTo=%2Fmy-qr">
          Sign in
        </a>
      </main>
    </Document>
  );
}

function Document({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <meta name="theme-color" content="#ffffff" />
        <title>My QR | Meishi</title>
        <style dangerouslySetInnerHTML={{ __html: myQrStyle }} />
      </head>
      <body>{children}</body>
    </html>
  );
}

type SlideProps = { subject: MyQrSubject; position: number; count: number };

function Slide({ subject, position, count }: SlideProps) {
  const { label, name, work, url, path, aliases, pageCode, contactCode } = subject;
  return (
    <section id={`qr-${position}`} aria-label={label}>
      {aliases.map((alias) => (
        <data key={alias} value={alias} />
      ))}
      {count > 1 && <Selector label={label} position={position} count={count} />}
      {contactCode && (
        <fieldset>
          <legend className="sr-only">What the code contains</legend>
          <label>
            <input type="radio" name={`code-${position}`} value="page" defaultChecked />
            Link
          </label>
          <label>
            <input type="radio" name={`code-${position}`} value="contact" />
            Contact
          </label>
        </fieldset>
      )}
      <div className={contactCode ? "page" : ""}>
        <QrImage code={pageCode} label={`QR code for ${name}'s page`} />
      </div>
      {contactCode && (
        <div className="contact">
          <QrImage code={contactCode} label={`QR code with the contact details of ${name}`} />
          <p>Contains your contact details, so it works even if their phone is offline.</p>
        </div>
      )}
      <h2 dir="auto">{name}</h2>
      {work && <p dir="auto">{work}</p>}
      <p>
        <a href={path}>{url.replace(/^https?:\/\//, "")}</a>
      </p>
    </section>
  );
}

/** The owner's name of the code, between links to the previous and the next one. Swiping does the same. */
function Selector({ label, position, count }: { label: string; position: number; count: number }) {
  return (
    <div className="selector">
      {position > 0 ? (
        <a href={`#qr-${position - 1}`} aria-label="Previous code">
          <span aria-hidden="true">‹</span>
        </a>
      ) : (
        <span />
      )}
      <p>
        <b dir="auto">{label}</b> <small>{`${position + 1} of ${count}`}</small>
      </p>
      {position < count - 1 ? (
        <a href={`#qr-${position + 1}`} aria-label="Next code">
          <span aria-hidden="true">›</span>
        </a>
      ) : (
        <span />
      )}
    </div>
  );
}

/** "November 21, 2026, 05:44 UTC"; the service worker replaces it by the local time. */
function formatStoredAt(time: number): string {
  return `${formatDate(time)}, ${formatTime(time)} UTC`;
}

/** The inline stylesheet, because the page can't load one. White in every theme: codes need a light ground. */
export const myQrStyle = [
  ":root{color-scheme:light;font:16px/1.5 system-ui,sans-serif}",
  "body{display:flex;flex-direction:column;min-height:100dvh;margin:0;background:#fff;color:#17181b;overflow-wrap:anywhere;forced-color-adjust:none}",
  "main{display:flex;flex:1;flex-direction:column}",
  "header{display:flex;align-items:center;justify-content:space-between;padding:8px 20px 0}",
  'h1,h2{margin:0;font:500 20px/1.3 "Hiragino Mincho ProN","Noto Serif",Georgia,serif}',
  "h2{margin-top:8px;font-size:26px}",
  "p{margin:4px 0 0;color:#67645c}",
  "a{color:inherit;text-underline-offset:4px;display:inline-block;padding:11px 0;margin:-11px 0}",
  "header a{margin:0;font-weight:600;text-decoration:none}",
  ".kept{display:none;margin:8px 20px 0;padding:10px 16px;border-radius:12px;background:#efebe1;color:#17181b;font-size:14px}",
  "[data-offline] .kept{display:block}",
  ".slides{position:relative;display:flex;flex:1;overflow-x:auto;overscroll-behavior-x:contain;scroll-snap-type:x mandatory;scrollbar-width:none}",
  "@media(prefers-reduced-motion:no-preference){.slides{scroll-behavior:smooth}}",
  "section{box-sizing:border-box;flex:none;display:flex;flex-direction:column;align-items:center;justify-content:center;width:100%;padding:8px 20px;text-align:center;scroll-snap-align:center;scroll-snap-stop:always}",
  "section>*{max-width:480px}",
  ".selector{display:grid;grid-template-columns:48px 1fr 48px;align-items:center;width:100%}",
  ".selector a{margin:0;padding:4px 0 8px;font-size:32px;line-height:36px;text-decoration:none}",
  ".selector b{display:block;color:#17181b}",
  ".selector p,small{font-size:14px}",
  "svg[role]{display:block;width:min(100vw - 24px,480px,max(200px,100dvh - 340px));margin:auto}",
  "fieldset{display:grid;grid-template-columns:1fr 1fr;gap:4px;width:100%;max-width:280px;margin:8px 0;padding:4px;border:0;border-radius:14px;background:#efebe1}",
  "label{position:relative;display:grid;place-items:center;min-height:44px;border-radius:10px;font-weight:600;font-size:14px;color:#67645c;cursor:pointer}",
  "label:has(:checked){background:#fff;color:#17181b;box-shadow:0 1px 3px #0003}",
  "label:has(:focus-visible){outline:2px solid #17181b}",
  "input{position:absolute;inset:0;opacity:0;margin:0}",
  ":focus-visible{outline:2px solid #17181b;outline-offset:2px}",
  "section:has([value=page]:checked) .contact,section:has([value=contact]:checked) .page{display:none}",
  "footer{padding:8px 20px 20px;text-align:center;font-size:14px}",
  ".message{box-sizing:border-box;width:100%;max-width:544px;margin:auto;justify-content:center;gap:20px;padding:20px}",
  // The proportions of a business card: 91 x 55 mm.
  ".card{box-sizing:border-box;display:flex;flex-direction:column;aspect-ratio:91/55;padding:26px;border-radius:14px;background:linear-gradient(150deg,#fbf9f4,#f1ede3);box-shadow:0 10px 30px #0004}",
  ".card .seal{align-self:end;margin-bottom:auto}",
  ".card h1{font-size:30px}",
  ".button{margin:0;padding:12px 28px;text-align:center;border-radius:12px;background:#17181b;color:#f7f4ed;font-weight:600;text-decoration:none}",
  ".sr-only{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}",
].join("");
