import type { ReactElement, ReactNode } from "react";

import type { ClosedData } from "#app/features/kiosk/client/closed-client.ts";
import type { CardKey } from "#app/features/kiosk/entry-content.server.ts";
import { kioskMessages } from "#app/features/kiosk/messages.ts";
import { idleWarningMs, thanksMs } from "#app/features/kiosk/rules.ts";
import { leadMessages } from "#app/features/leads/messages.ts";
import { LeadFormView } from "#app/features/leads/public/lead-form.tsx";
import { OwnerHeader } from "#app/features/leads/public/owner-header.tsx";
import type { ConsentPurpose } from "#app/features/leads/rules.ts";
import type { LeadFormSettings } from "#app/features/leads/schema.ts";
import type { QrDrawing } from "#app/features/drawing/qr-code.ts";
import { QrImage } from "#app/features/drawing/qr-image.tsx";
import { sealIcon } from "#app/features/shell/seal-drawing.ts";
import type { StoredData } from "#app/services/features/stored-data.ts";
import { initials } from "#app/ui/components/characters.ts";

import type { KioskFormAgain } from "./kiosk-form.server.ts";

/** What the page's script needs. `loadedAt` is the server's time. */
export type KioskData = {
  path: string;
  key: CardKey;
  loadedAt: number;
  settings: LeadFormSettings;
  purposes: ConsentPurpose[];
};

/** Whose form it is. */
export type ShownOwner = {
  path: string;
  name: string;
  work: string;
  /** A JPEG in base64. */
  photo: string | undefined;
  /** The code of the card. */
  code: QrDrawing;
  theme: string;
};

type KioskDocumentProps = { style: string; script: string; view: ReactElement };

/** A document that loads nothing. It names no referrer, because its address is a secret. */
export function KioskDocument({ style, script, view }: KioskDocumentProps) {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <meta name="referrer" content="no-referrer" />
        <title>{`${leadMessages.share} | Meishi`}</title>
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

type KioskViewProps = {
  shown: ShownOwner;
  isSignedIn: boolean;
  data: KioskData;
  form: {
    settings: LeadFormSettings;
    consents: Parameters<typeof LeadFormView>[0]["consents"];
    stamp: string;
  } & Partial<Omit<KioskFormAgain, "stamp">>;
  stored: readonly StoredData[];
};

/** The form, full screen. Its script shows the other parts, and fills `data-…` elements. Without script it is a form like any other. */
export function KioskView({ shown, isSignedIn, data, form, stored }: KioskViewProps) {
  return (
    <KioskPage theme={shown.theme} data={JSON.stringify(data)} isAgain={form.typed !== undefined}>
      {isSignedIn && <SignedInWarning />}
      <div className="idle" data-part="idle" role="alert" hidden>
        <span>
          Still there? What you typed is cleared in <span data-idle-seconds>{idleWarningMs / 1_000}</span> seconds.
        </span>
        <button className="button" type="button" data-action="stay">
          Keep it
        </button>
      </div>
      <div data-part="form">
        <Head {...shown} />
        <LeadFormView {...form} kiosk={{ action: shown.path, privacy: <Privacy stored={stored} /> }} />
        {Object.keys(form.errors ?? {}).length > 0 && (
          <p className="more">
            <a href={shown.path}>Start over with an empty form</a>
          </p>
        )}
      </div>
      <div data-part="thanks" hidden>
        <Thanks {...shown}>
          <button className="button main" type="button" data-action="next">
            Next visitor
          </button>
          <p className="hint" aria-hidden="true">
            This page clears itself in <span data-thanks-seconds>{thanksMs / 1_000}</span> seconds.
          </p>
        </Thanks>
      </div>
      <DeviceBar />
    </KioskPage>
  );
}

/** What follows a form that was sent without script. The response's `Refresh` header brings the next form. */
export function SentView(shown: ShownOwner) {
  return (
    <KioskPage theme={shown.theme}>
      <Thanks {...shown}>
        <a className="button main" href={shown.path}>
          Next visitor
        </a>
      </Thanks>
    </KioskPage>
  );
}

/** Instead of the form: the link was removed, or its form is off. What is left on the device stays there. */
export function ClosedView({ closed, ...data }: ClosedData) {
  const isOff = closed === "off";
  return (
    <KioskPage theme="ink" data={JSON.stringify({ closed, ...data })}>
      <div className="done">
        <h1>{isOff ? "The form is off" : "This kiosk link doesn't work"}</h1>
        <p>
          {isOff
            ? "Its owner has switched the form off, or the card isn't public. This page starts again when it is back."
            : "Its owner has removed it, or the address is incomplete."}
        </p>
        <p data-part="left" hidden>
          <b>
            <span data-left>0 contacts are</span> still on this device.
          </b>{" "}
          {isOff
            ? "What is left is sent from this page, also while the form is off."
            : "What is left is encrypted. To send it, open a new kiosk link of the same card in this browser. After 90 days it is deleted here."}
        </p>
      </div>
    </KioskPage>
  );
}

type KioskPageProps = {
  theme: string;
  data?: string;
  /** Whether its form has what a visitor typed. */
  isAgain?: boolean;
  children: ReactNode;
};

function KioskPage({ theme, data, isAgain, children }: KioskPageProps) {
  return (
    <main className="page accent" data-theme={theme} data-kiosk={data} data-again={isAgain || undefined}>
      <div className="column">
        <div className="framed">{children}</div>
      </div>
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

function Head({ name, work, photo }: ShownOwner) {
  return (
    <OwnerHeader name={name} work={work} title={leadMessages.share} isFocusable>
      <span className="avatar" aria-hidden="true">
        {initials(name)}
        {photo && <img src={`data:image/jpeg;base64,${photo}`} width={64} height={64} alt="" />}
      </span>
    </OwnerHeader>
  );
}

function Thanks({ name, code, children }: ShownOwner & { children: ReactNode }) {
  return (
    <div className="done">
      <h1 tabIndex={-1}>Thank you</h1>
      <p>
        <bdi>{name}</bdi> gets your contact. If you gave an email address, a message with a link to withdraw your
        consent or erase your details follows.
      </p>
      <QrImage className="code" code={code} label={`QR code for ${name}'s business card`} />
      <p className="hint">
        Scan to take the card of <bdi>{name}</bdi> with you.
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

/** For the owner of the device: what is waiting, and how to keep visitors inside this page. Filled in by the script. */
function DeviceBar() {
  return (
    <footer className="device">
      <button className="button" type="button" data-action="full-screen" hidden>
        Full screen
      </button>
      <span data-part="queue" role="status" />
      <noscript>This browser runs no scripts: the form works only with a network.</noscript>
      <details>
        <summary>About this device</summary>
        <p data-part="details" />
        <p>Keep visitors on this page. {kioskMessages.stayOnPage}</p>
        <p>
          This page works without a network once it was open here with one. Contacts wait on this device, encrypted, and
          are sent when the network is back. Don't clear this browser's data before that.
        </p>
      </details>
    </footer>
  );
}
