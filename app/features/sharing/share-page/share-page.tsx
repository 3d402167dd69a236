import { useState } from "react";

import { listCardShares } from "#app/features/cards/share-subjects.server.ts";
import { findLeadForm } from "#app/features/leads/form-data.server.ts";
import { loadOwnProfile, profileShareSubject } from "#app/features/profile/own-profile.server.ts";
import { CopyButton } from "#app/features/sharing/copy-button.tsx";
import { signatureHtml, signatureText } from "#app/features/sharing/images/signature.ts";
import { offlineFields, offlineQr } from "#app/features/sharing/offline/offline-qr.ts";
import type { OfflineContact } from "#app/features/sharing/offline/offline-qr.ts";
import { qrPath } from "#app/features/drawing/qr-code.ts";
import type { QrDrawing } from "#app/features/drawing/qr-code.ts";
import { QrImage } from "#app/features/drawing/qr-image.tsx";
import type { HiddenReason, OwnShare, ShareSubject } from "#app/features/sharing/share-subject.ts";
import { markedUrl } from "#app/features/sharing/source-marks.ts";
import { offeredWallets } from "#app/features/wallet/data.server.ts";
import { findPassStatus } from "#app/features/wallet/updates/pass-status-data.server.ts";
import { PassStatus } from "#app/features/wallet/updates/pass-status.tsx";
import { services } from "#app/services/http/context.ts";
import type { Services } from "#app/services/http/context.ts";
import { redirectWithToast } from "#app/services/http/toast.server.ts";
import { BackLink } from "#app/ui/components/back-link.tsx";
import { Button, ButtonLink } from "#app/ui/components/button.tsx";
import { useBrowserValue } from "#app/ui/components/hydration.ts";
import { Icon } from "#app/ui/components/icon.tsx";
import { Notice } from "#app/ui/components/notice.tsx";
import { Panel } from "#app/ui/components/panel.tsx";
import { Toast } from "#app/ui/components/toast.tsx";
import type { ToastContent } from "#app/ui/components/toast.tsx";
import { ChoiceField } from "#app/ui/forms/choice-field.tsx";

import type { Route } from "./+types/share-page.ts";
import { ConnectPanel } from "./connect-panel.tsx";
import { ImagePreview } from "./image-preview.tsx";
import { NfcPanel } from "./nfc-panel.tsx";
import { OfflinePanel } from "./offline-panel.tsx";
import { PrintPanel } from "./print-panel.tsx";
import { QrPanel } from "./qr-panel.tsx";
import { SignaturePanel } from "./signature-panel.tsx";

/** The loader of `/share/card/{id}` and `/share/profile`. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const all = services(context);
  const { config, db } = all;
  const profile = await loadOwnProfile(context);
  const own: OwnShare | undefined = params.id
    ? (await listCardShares(context, profile)).find(({ id }) => id === params.id)
    : { subject: profileShareSubject(profile, config.baseUrl) };
  if (!own)
    throw redirectWithToast("/profile", { title: "Error", text: "Failed to load business card.", tone: "error" });
  if ("hidden" in own) return own;
  const { subject } = own;
  const pass = params.id && {
    cardId: params.id,
    path: subject.path,
    offered: offeredWallets(all),
    status: await findPassStatus(db, params.id),
  };
  return {
    subject,
    pass,
    leads: params.id ? await loadConnect(all, { cardId: params.id, url: subject.url }) : undefined,
    code: qrPath(markedUrl(subject.url, "qr")),
    offline: subject.contact && loadOfflineContact(subject.contact),
    signature: { html: signatureHtml(subject.signature), text: signatureText(subject.signature) },
  };
}

/** The codes and links that open the card's form, where it is on. */
async function loadConnect({ db }: Pick<Services, "db">, { cardId, url }: { cardId: string; url: string }) {
  const { isOn } = await findLeadForm(db, cardId);
  return { cardId, code: isOn ? qrPath(markedUrl(`${url}/connect`, "qr")) : undefined };
}

function loadOfflineContact(contact: OfflineContact) {
  const fields = offlineFields.filter((field) => contact[field].trim() !== "");
  return { contact, fields, first: offlineQr(contact, fields) };
}

export const meta: Route.MetaFunction = () => [{ title: "Share | Meishi" }];

export default function SharePage({ loaderData }: Route.ComponentProps) {
  if ("hidden" in loaderData) return <NothingToShare {...loaderData} />;
  return <Share {...loaderData} />;
}

type ShareProps = Exclude<Route.ComponentProps["loaderData"], OwnShare & { hidden: HiddenReason }>;

function Share({ subject, pass, leads, code, offline, signature }: ShareProps) {
  const [toast, setToast] = useState<ToastContent>();
  return (
    // A key per card resets the choices made for the previous one.
    <div key={subject.path} className={pageClass}>
      <div className="grid gap-5 lg:sticky lg:top-6">
        <ShareHead label={subject.label} />
        <ShareHero subject={subject} code={code} />
      </div>
      <div className="grid min-w-0 gap-5 lg:pt-14">
        <QrPanel subject={subject} />
        <PrintPanel path={subject.sharePath} />
        {offline && <OfflinePanel {...offline} path={subject.sharePath} />}
        {pass && <PassStatus {...pass} notify={setToast} />}
        <NfcPanel url={markedUrl(subject.url, "nfc")} />
        {leads && <ConnectPanel {...leads} subject={subject} />}
        <SignaturePanel signature={signature} previewPath={`${subject.sharePath}/signature.html`} />
        <BackgroundPanel path={subject.sharePath} />
        <p className="text-sm text-muted">
          Each link ends with a letter that shows how it was shared, such as ?q for a QR code. Nothing that identifies a
          visitor is stored with it.
        </p>
      </div>
      <Toast message={toast} />
    </div>
  );
}

function ShareHead({ label }: { label: string }) {
  return (
    <header className="grid gap-2">
      <BackLink to="/profile">Back to Profile</BackLink>
      <h1 className="heading text-xl">Share</h1>
      <p className="text-muted wrap-anywhere">
        <bdi>{label}</bdi>
      </p>
    </header>
  );
}

function NothingToShare({ label, hidden }: { label: string; hidden: HiddenReason }) {
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

const pageClass =
  "mx-auto grid w-full max-w-[1200px] items-start gap-x-12 gap-y-8 px-5 pt-6 pb-16 lg:grid-cols-[minmax(0,400px)_minmax(0,1fr)]";

/** The QR code to hold up for others, on white in both themes, with the URL for those who can't scan. */
function ShareHero({ subject, code }: { subject: ShareSubject; code: QrDrawing }) {
  const { name, work, url, kind } = subject;
  const link = markedUrl(url, "link");
  return (
    <section aria-label="Your QR code" className="grid gap-4">
      <div className="rounded-card bg-white px-1 pb-5 text-center text-ink shadow-card forced-color-adjust-none">
        <QrImage
          code={code}
          label={`QR code for ${name}'s ${kind === "card" ? "business card" : "profile"}`}
          className="mx-auto block w-full max-w-100"
        />
        <p className="heading px-4 text-lg" dir="auto">
          {name}
        </p>
        {work && (
          <p className="px-4 text-sm text-ink-soft" dir="auto">
            {work}
          </p>
        )}
        <p className="mt-2.5 px-6 text-xs break-all text-balance text-ink-soft" dir="ltr">
          {url.replace(/^https?:\/\//, "")}
        </p>
      </div>
      <div className={actionsClass}>
        <CopyButton content={{ text: link }} variant="main">
          Copy link
        </CopyButton>
        <NativeShare title={name} url={link} />
        <ButtonLink href="/my-qr">
          <Icon name="qr" />
          My QR
        </ButtonLink>
        <ButtonLink href={subject.path} target="_blank">
          <Icon name="arrow-up-right" />
          Open page
        </ButtonLink>
      </div>
    </section>
  );
}

// Two columns. Without a share sheet, the main button has a row of its own.
const actionsClass =
  "grid grid-cols-2 gap-2.5 [&:not(:has(>:nth-child(5)))>:first-child]:col-span-2 [&>[role=status]]:col-span-2";

/** Opens the device's share sheet, if it has one. Closing the sheet and pressing the button twice are not errors. */
function NativeShare({ title, url }: { title: string; url: string }) {
  const canShare = useBrowserValue(() => "share" in navigator, false);
  if (!canShare) return null;
  const share = () => void navigator.share({ title, url }).catch(ignoreCanceledShare);
  return (
    <Button onClick={share}>
      <Icon name="share" />
      Share
    </Button>
  );
}

function ignoreCanceledShare(error: unknown) {
  if (!(error instanceof DOMException)) throw error;
}

/** A background image for video calls: the card, with a QR code that others can scan from their screens. */
function BackgroundPanel({ path }: { path: string }) {
  const [tone, setTone] = useState<(typeof tones)[number]["id"]>("dark");
  const src = `${path}/background.png?tone=${tone}`;
  return (
    <Panel title="Video call background">
      <p className="text-muted">1920 × 1080 pixels. Others on the call can scan the code next to you.</p>
      <ImagePreview
        src={src}
        alt="Preview of your video call background"
        frame="mt-4 aspect-video w-full rounded-control border border-line-strong"
      />
      <div className="mt-4 flex flex-wrap items-end justify-between gap-4 max-sm:*:grow">
        <ChoiceField label="Style" name="tone" options={tones} value={tone} onChoose={setTone} />
        <ButtonLink href={src} download={`video-call-background-${tone}.png`}>
          <Icon name="download" />
          Download PNG
        </ButtonLink>
      </div>
      <p className="mt-4 border-t border-line pt-4 text-sm text-muted">
        In Zoom, Teams or Meet, open the background settings and add the image. It may look mirrored to you, but others
        always see it the right way around.
      </p>
    </Panel>
  );
}

const tones = [
  { id: "dark", label: "Dark" },
  { id: "light", label: "Light" },
] as const;
