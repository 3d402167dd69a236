import { Link } from "react-router";

import { listCardShares } from "#app/features/cards/own-share.server.ts";
import { loadOwnProfile } from "#app/features/profile/own-profile.server.ts";
import { profileShare } from "#app/features/profile/own-share.server.ts";
import { services } from "#app/services/context.ts";
import { redirectWithToast } from "#app/services/toast.server.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { Notice } from "#app/ui/notice.tsx";

import type { Route } from "./+types/share-page.ts";
import { BackgroundPanel } from "./share-background.tsx";
import { NfcPanel } from "./nfc-panel.tsx";
import { OfflinePanel } from "./offline-panel.tsx";
import { offlineFields, offlineQr } from "./offline-qr.ts";
import type { OfflineContact } from "./offline-qr.ts";
import { qrPath } from "./qr-code.ts";
import { QrPanel } from "./qr-panel.tsx";
import { ShareHero } from "./share-hero.tsx";
import type { Hidden, OwnShare } from "./share-subject.ts";
import { SignaturePanel } from "./signature-panel.tsx";
import { signatureHtml, signatureText } from "./signature.ts";
import { markedUrl } from "./source-marks.ts";

/** A route of two addresses: `/share/card/{id}`, and without an id the own profile. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const { config } = services(context);
  const profile = await loadOwnProfile(context);
  const own: OwnShare | undefined = params.id
    ? (await listCardShares(context, profile)).find(({ id }) => id === params.id)
    : { subject: profileShare(profile, config.baseUrl) };
  if (!own)
    throw redirectWithToast("/profile", { title: "Error", text: "Failed to load business card.", tone: "error" });
  if ("hidden" in own) return own;
  const { subject } = own;
  return {
    subject,
    code: qrPath(markedUrl(subject.url, "qr")),
    offline: subject.contact && offlineOf(subject.contact),
    signature: { html: signatureHtml(subject.signature), text: signatureText(subject.signature) },
  };
}

function offlineOf(contact: OfflineContact) {
  const fields = offlineFields.filter((field) => contact[field].trim() !== "");
  return { contact, fields, first: offlineQr(contact, fields) };
}

export const meta: Route.MetaFunction = () => [{ title: "Share | Meishi" }];

export default function SharePage({ loaderData }: Route.ComponentProps) {
  if ("hidden" in loaderData) return <NothingToShare {...loaderData} />;
  const { subject, code, offline, signature } = loaderData;
  return (
    // Another card is another page: what was chosen for one does not stay for the next.
    <div key={subject.path} className={pageLook}>
      <div className="grid gap-5 lg:sticky lg:top-6">
        <ShareHead label={subject.label} />
        <ShareHero subject={subject} code={code} />
      </div>
      <div className="grid min-w-0 gap-5 lg:pt-14">
        <QrPanel subject={subject} />
        {offline && <OfflinePanel {...offline} path={subject.sharePath} />}
        <NfcPanel url={markedUrl(subject.url, "nfc")} />
        <SignaturePanel signature={signature} previewPath={`${subject.sharePath}/signature.html`} />
        <BackgroundPanel path={subject.sharePath} />
        <p className="text-sm text-muted">
          Each way has a letter of its own at the end of its address: that is how visits by link, QR code, NFC tag,
          signature and background are counted apart. Nothing else about a visitor is kept, and your own visits are not
          counted.
        </p>
      </div>
    </div>
  );
}

function ShareHead({ label }: { label: string }) {
  return (
    <header className="grid gap-2">
      <Link to="/profile" className={backLook}>
        <span aria-hidden="true" className="rtl:-scale-x-100">
          ←
        </span>
        Back to Profile
      </Link>
      <h1 className="heading text-xl">Share</h1>
      <p className="text-muted" dir="auto">
        {label}
      </p>
    </header>
  );
}

function NothingToShare({ label, hidden }: { label: string; hidden: Hidden }) {
  const { title, text, action } = hidden;
  return (
    <div className="mx-auto grid w-full max-w-140 gap-5 px-5 pt-6 pb-16">
      <ShareHead label={label} />
      <Notice
        tone="warning"
        title={title}
        action={
          <ButtonLink variant="main" size="s" href={action.href}>
            {action.label}
          </ButtonLink>
        }
      >
        {text}
      </Notice>
    </div>
  );
}

const pageLook =
  "mx-auto grid w-full max-w-[1200px] items-start gap-x-12 gap-y-8 px-5 pt-6 pb-16 lg:grid-cols-[minmax(0,400px)_minmax(0,1fr)]";
const backLook = "inline-flex min-h-11 items-center gap-2 text-sm font-medium text-muted no-underline hover:text-text";
