import type { ReactElement, ReactNode } from "react";

import type { CardKey } from "#app/features/kiosk/entry-content.server.ts";
import { handOverMessages, kioskMessages } from "#app/features/kiosk/messages.ts";
import { defaultHeading, idleWarningMs, thanksMs, unlockPath } from "#app/features/kiosk/rules.ts";
import { leadMessages } from "#app/features/leads/messages.ts";
import { LeadFormView } from "#app/features/leads/public/lead-form.tsx";
import type { ConsentPurpose } from "#app/features/leads/rules.ts";
import type { LeadFormSettings } from "#app/features/leads/schema.ts";
import type { QrDrawing } from "#app/features/drawing/qr-code.ts";
import { QrImage } from "#app/features/drawing/qr-image.tsx";
import { sealIcon } from "#app/features/shell/seal-drawing.ts";
import type { StoredData } from "#app/services/features/stored-data.ts";
import { initials } from "#app/ui/components/characters.ts";

/** What the page's script needs. `loadedAt` is the server's time. */
export type KioskData = {
  path: string;
  key: CardKey;
  loadedAt: number;
  settings: LeadFormSettings;
  purposes: ConsentPurpose[];
};

/** The same for a page without a form; with the key of a card, its script sends what waits for it. */
export type ClosedData = { closed: "removed" | "off"; key?: CardKey; loadedAt: number };

/** Whose form it is. */
export type ShownOwner = {
  path: string;
  /** The owner's own words above the form; "" for the usual ones. */
  heading: string;
  name: string;
  work: string;
  /** The card's logo, or the owner's photo: a data URL. */
  logo: string | undefined;
  photo: string | undefined;
  /** The theme of the card's own paper, for which its logo was made. */
  paper: string | undefined;
  /** The code of the card. */
  code: QrDrawing;
  theme: string;
};

type KioskDocumentProps = { style: string; script: string; view: ReactElement; title: string };

/** A document that loads nothing. It names no referrer, because its address is a secret. */
export function KioskDocument({ style, script, view, title }: KioskDocumentProps) {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <meta name="referrer" content="no-referrer" />
        <title>{`${title} | Meishi`}</title>
        <link rel="icon" href={sealIcon} />
        <style dangerouslySetInnerHTML={{ __html: style }} />
      </head>
      <body>
        {view}
        <script type="module" dangerouslySetInnerHTML={{ __html: script }} />
      </body>
    </html>
  );
}

type LeadForm = Parameters<typeof LeadFormView>[0];

/** A form that is shown again, with what was typed. */
export type KioskFormAgain = Pick<LeadForm, "typed" | "errors" | "notice" | "formToken">;

type KioskViewProps = {
  shown: ShownOwner;
  isSignedIn: boolean;
  /** The browser is its owner's, who can take it back. */
  isHandedOver: boolean;
  data: KioskData;
  form: Omit<LeadForm, "kiosk">;
  stored: readonly StoredData[];
};

/**
 * The form, full screen. Its script shows one of the parts (`data-part`), and fills in texts (`data-text`): page-client.ts. Without script it
 * is a form like any other.
 */
export function KioskView({ shown, isSignedIn, isHandedOver, data, form, stored }: KioskViewProps) {
  return (
    <KioskPage theme={shown.theme} data={JSON.stringify(data)} isAgain={form.typed !== undefined}>
      {isSignedIn && <SignedInWarning />}
      <div className="booth">
        <Owner {...shown} />
        <div className="desk">
          <div className="idle" data-part="idle" role="alert" hidden>
            <span>
              Still there? What you typed is cleared in <span data-text="seconds">{idleWarningMs / 1_000}</span>{" "}
              seconds.
            </span>
            <button className="button" type="button" data-action="stay">
              Keep it
            </button>
          </div>
          <div data-part="form">
            <LeadFormView {...form} kiosk={{ action: shown.path, privacy: <Privacy stored={stored} /> }} />
            {Object.keys(form.errors ?? {}).length > 0 && (
              <p className="more">
                <a href={shown.path}>Start over with an empty form</a>
              </p>
            )}
          </div>
          <div data-part="thanks" hidden>
            <Thanks {...shown} mailText={<span data-part="mail">{kioskMessages.mailFollows}</span>}>
              <button className="button main" type="button" data-action="start">
                Next visitor
              </button>
              <p className="hint" aria-hidden="true">
                This page clears itself in <span data-text="seconds">{thanksMs / 1_000}</span> seconds.
              </p>
            </Thanks>
          </div>
        </div>
        <DeviceBar isHandedOver={isHandedOver} />
      </div>
    </KioskPage>
  );
}

/** What follows a form that was sent without script. The response's `Refresh` header brings the next form. */
export function SentView({ shown, isMailed }: { shown: ShownOwner; isMailed: boolean }) {
  return (
    <KioskPage theme={shown.theme} shows="thanks">
      <div className="booth">
        <Owner {...shown} />
        <div className="desk">
          <Thanks {...shown} mailText={isMailed && kioskMessages.mailFollows}>
            <a className="button main" href={shown.path}>
              Next visitor
            </a>
          </Thanks>
        </div>
      </div>
    </KioskPage>
  );
}

/** Instead of the form: the link was removed, or its form is off. What is left on the device stays there. */
export function ClosedView({ isHandedOver, data }: { isHandedOver: boolean; data: ClosedData }) {
  const isOff = data.closed === "off";
  return (
    <KioskPage theme="ink" data={JSON.stringify(data)}>
      <div className="done closed">
        <h1>{isOff ? "The form is off" : "This kiosk link doesn’t work"}</h1>
        <p>
          {isOff
            ? "Its owner has switched the form off, or the card isn’t public. This page starts again when it is back."
            : "Its owner has removed it, or the address is incomplete."}
        </p>
        <p data-part="left" hidden>
          <b>
            <span data-text="left">0 contacts are</span> still on this device.
          </b>{" "}
          {isOff
            ? "What is left is sent from this page, also while the form is off."
            : "What is left is encrypted. To send it, open a new kiosk link of the same card in this browser. After 90 days it is deleted here."}
        </p>
        {isHandedOver && <a href={unlockPath}>{handOverMessages.unlock}</a>}
      </div>
    </KioskPage>
  );
}

type KioskPageProps = {
  theme: string;
  data?: string;
  /** Whether its form has what a visitor typed. */
  isAgain?: boolean;
  /** The script also shows "invite": no one is there. */
  shows?: "form" | "thanks";
  children: ReactNode;
};

function KioskPage({ theme, data, isAgain, shows = "form", children }: KioskPageProps) {
  return (
    <main
      className="page accent kiosk"
      data-theme={theme}
      data-kiosk={data}
      data-again={isAgain || undefined}
      data-shows={shows}
    >
      {children}
    </main>
  );
}

function SignedInWarning() {
  return (
    <div className="warning" role="note">
      <b>Someone is signed in to Meishi in this browser.</b>
      <span>
        Visitors with this device in hand could open that account. Sign out in this browser first, or open this page in
        another one. Signing out keeps the contacts that are waiting here.
      </span>
    </div>
  );
}

/** Whose form it is, and, while no one uses it, the invitation to start. */
function Owner({ heading, name, work, logo, photo, paper }: ShownOwner) {
  const title = heading || defaultHeading;
  return (
    <header className="owner" data-part="owner">
      {logo ? (
        <span className="logo-panel" data-theme={paper}>
          <img src={logo} alt="" />
        </span>
      ) : (
        <span className="avatar" aria-hidden="true">
          {initials(name)}
          {photo && <img src={photo} alt="" />}
        </span>
      )}
      <div>
        <h1 tabIndex={-1} data-long={title.length > 24 || undefined}>
          {title}
        </h1>
        <p className="who">
          <b>
            <bdi>{name}</bdi>
          </b>
          {work && <bdi>{work}</bdi>}
        </p>
      </div>
      <button className="button main start" type="button" data-action="start">
        Touch to start
      </button>
    </header>
  );
}

/** `mailText`: what follows by email, if the visitor gave an address. */
function Thanks({ name, code, mailText, children }: ShownOwner & { mailText: ReactNode; children: ReactNode }) {
  return (
    <div className="done">
      <span className="check" aria-hidden="true" />
      <h1 tabIndex={-1}>{leadMessages.done(name)}</h1>
      {mailText && <p>{mailText}</p>}
      <QrImage className="code" code={code} label={`QR code for ${name}’s business card`} />
      <p className="hint">
        Scan to take <bdi>{name}</bdi>’s card with you.
      </p>
      {children}
    </div>
  );
}

/** No link: a visitor must not leave the form. */
function Privacy({ stored }: { stored: readonly StoredData[] }) {
  return (
    <details>
      <summary>What is stored and why</summary>
      <ul>
        {stored.map(({ name, what, why, howLong }) => (
          <li key={name}>
            {what}: {why}. Stored {howLong}.
          </li>
        ))}
      </ul>
    </details>
  );
}

/** For the owner of the device, in a corner: what is waiting, and how to keep visitors inside this page. Filled in by the script. */
function DeviceBar({ isHandedOver }: { isHandedOver: boolean }) {
  return (
    <footer className="device">
      <button type="button" data-action="full-screen" hidden>
        Full screen
      </button>
      <span data-text="queue" role="status" />
      <details>
        <summary>About this device</summary>
        <div className="about">
          <p data-text="details" />
          <p>Keep visitors on this page. {kioskMessages.stayOnPage}</p>
          <p>{kioskMessages.worksOffline} Don’t clear this browser’s data before that.</p>
        </div>
      </details>
      {isHandedOver && (
        <a href={unlockPath} data-handed-over>
          Unlock
        </a>
      )}
      <noscript>This browser runs no scripts: the form works only with a network.</noscript>
    </footer>
  );
}
