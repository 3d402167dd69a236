import { Seal } from "#app/ui/seal.tsx";

import type { QrDrawing } from "./share-view.tsx";

/** A profile or card as it is shown where there is no network. */
export type OfflineSubject = {
  kind: "profile" | "card";
  label: string;
  name: string;
  work: string;
  /** Whole, and as a path; `alias` is another path of the same page. The worker answers for paths that stand in this page. */
  url: string;
  path: string;
  alias?: string;
  /** Of its address, and of the contact itself where that fits into one. */
  pageCode: QrDrawing;
  contactCode: QrDrawing | undefined;
};

type OfflineViewProps = {
  subjects: readonly OfflineSubject[];
  /** How many cards there was no room for, and what the cards are called that visitors can't open. */
  left: number;
  hidden: readonly string[];
  keptAt: number;
  style: string;
};

/** One document with all it needs: the owner's codes, large and on white, without script and without a request. */
export function OfflineView({ subjects, left, hidden, keptAt, style }: OfflineViewProps) {
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
            No network. Kept on <time dateTime={new Date(keptAt).toISOString()}>{inWords(keptAt)}</time>.{" "}
            <a href="?">Try again</a>
          </p>
          <p className="live">
            This page opens where there is no network, on this device, until you sign out.{" "}
            <a href="/profile">Back to Profile</a>
          </p>
          {subjects.map((subject, index) => (
            <Subject key={subject.path} subject={subject} place={index} />
          ))}
          {left > 0 && <p className="note">Not here: the last {left} of your cards. Their order is yours to change.</p>}
          {hidden.length > 0 && <p className="note">Not here, because visitors can't open it: {hidden.join(", ")}.</p>}
          <p className="note">Turn the screen's brightness up, and hold the phones a hand's width apart.</p>
        </main>
      </body>
    </html>
  );
}

function Subject({ subject, place }: { subject: OfflineSubject; place: number }) {
  const { label, name, work, url, path, alias, pageCode, contactCode } = subject;
  return (
    // One is open at a time: those of one name close each other.
    <details name="subject" open={place === 0} data-also={alias}>
      <summary>
        <bdi>{label}</bdi>
      </summary>
      <div className="sheet">
        {contactCode && (
          <fieldset>
            <legend className="unseen">What the code holds</legend>
            <label>
              <input type="radio" name={`code-${place}`} value="contact" defaultChecked />
              Contact
            </label>
            <label>
              <input type="radio" name={`code-${place}`} value="page" />
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

/** "21 November 2026, 05:44 UTC"; the worker, which knows the owner's clock, says it by that. */
function inWords(time: number): string {
  const words = { dateStyle: "long", timeStyle: "short", timeZone: "UTC" } as const;
  return `${new Date(time).toLocaleString("en-GB", words).replace(" at", ",")} UTC`;
}
