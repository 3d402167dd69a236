import { useState } from "react";

import { cardPath } from "#app/features/cards/address-rules.ts";
import { CardTabs } from "#app/features/cards/card-tabs.tsx";
import { findOwnShare } from "#app/features/cards/share-subjects.server.ts";
import { findVisibleProfile } from "#app/features/profile/public-profile.server.ts";
import { CopyButton } from "#app/features/sharing/copy-button.tsx";
import { qrPath } from "#app/features/drawing/qr-code.ts";
import type { QrDrawing } from "#app/features/drawing/qr-code.ts";
import { QrImage } from "#app/features/drawing/qr-image.tsx";
import type { HiddenReason, OwnShare } from "#app/features/sharing/share-subject.ts";
import { shareLinks } from "#app/features/sharing/share-view.tsx";
import { markedUrl } from "#app/features/sharing/source-marks.ts";
import { offeredWallets } from "#app/features/wallet/data.server.ts";
import { PassButton } from "#app/features/wallet/public/pass-button.tsx";
import { requireUser, services } from "#app/services/http/context.ts";
import { redirectWithToast } from "#app/services/http/toast.server.ts";
import { BackLink } from "#app/ui/components/back-link.tsx";
import { Button, ButtonLink } from "#app/ui/components/button.tsx";
import { useBrowserValue } from "#app/ui/components/hydration.ts";
import { Icon } from "#app/ui/components/icon.tsx";
import { PageHeader } from "#app/ui/components/page.tsx";
import { pageWidthClass } from "#app/ui/components/page-width.ts";
import { Notice } from "#app/ui/components/notice.tsx";
import { Toast } from "#app/ui/components/toast.tsx";
import type { ToastContent } from "#app/ui/components/toast.tsx";

import type { Route } from "./+types/share-page.ts";
import { ShareList } from "./share-list.tsx";
import type { ShareCard } from "./share-list.tsx";

/** The loader of `/share/card/{id}` and `/share/profile`. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const own = await findOwnShare(context, params.id);
  if (!own)
    throw redirectWithToast("/profile", { title: "Error", text: "Failed to load business card.", tone: "error" });
  if ("hidden" in own) return own;
  const { kind, label, name, work, shareText, url, path, sharePath } = own.subject;
  return {
    subject: { kind, label, name, work, shareText, url, path, sharePath },
    card: params.id ? { id: params.id, wallets: offeredWallets(services(context)) } : undefined,
    contactPath: params.id ? path : await findContactPath(context),
    code: qrPath(markedUrl(url, "qr")),
  };
}

/** The path of the card that Save Contact opens on the owner's profile; undefined without one. */
async function findContactPath(context: Route.LoaderArgs["context"]): Promise<string | undefined> {
  const found = await findVisibleProfile(services(context), requireUser(context).id);
  return found && "contactCard" in found && found.contactCard ? cardPath(found.contactCard) : undefined;
}

export const meta: Route.MetaFunction = () => [{ title: "Share | Meishi" }];

export default function SharePage({ loaderData, params }: Route.ComponentProps) {
  if ("hidden" in loaderData) return <NothingToShare {...loaderData} cardId={params.id} />;
  return <Share {...loaderData} />;
}

type ShareProps = Exclude<Route.ComponentProps["loaderData"], OwnShare & { hidden: HiddenReason }>;
type SharedSubject = ShareProps["subject"];

function Share({ subject, card, contactPath, code }: ShareProps) {
  const [toast, setToast] = useState<ToastContent>();
  return (
    <div key={subject.sharePath} className={pageClass}>
      <ShareHeader label={subject.label} cardId={card?.id} />
      <div className="grid gap-4 lg:sticky lg:top-6">
        <ShareHero subject={subject} code={code} />
        <ShareActions subject={subject} />
        <div className="flex flex-wrap gap-2.5 *:grow">
          {contactPath && (
            // No `download` attribute: an iPhone would store the file instead of opening the contact.
            <ButtonLink size="s" href={`${contactPath}/contact.vcf`}>
              <Icon name="user-plus" />
              Save to my contacts
            </ButtonLink>
          )}
          {card && <WalletButtons {...card} path={subject.path} notify={setToast} />}
        </div>
      </div>
      <div className="grid min-w-0 gap-5">
        <ShareList sharePath={subject.sharePath} card={card} />
        <p className="text-sm text-muted">
          Each link ends with a letter that shows how it was shared, such as ?q for a QR code. Nothing that identifies a
          visitor is stored with it.
        </p>
      </div>
      <Toast message={toast} />
    </div>
  );
}

/** The pages of a card are tabs; those of the profile aren't. */
function ShareHeader({ label, cardId }: { label: string; cardId: string | undefined }) {
  return (
    <PageHeader
      title="Share"
      back={cardId ? <BackLink to="/cards">Cards</BackLink> : <BackLink to="/home">Home</BackLink>}
      aside={<bdi className="truncate text-muted">{label}</bdi>}
      tabs={cardId && <CardTabs cardId={cardId} current="share" />}
    />
  );
}

function NothingToShare({
  label,
  hidden,
  cardId,
}: {
  label: string;
  hidden: HiddenReason;
  cardId: string | undefined;
}) {
  const { title, text, action } = hidden;
  return (
    <div className={`${pageWidthClass} grid gap-5 pb-16 *:max-w-160`}>
      <ShareHeader label={label} cardId={cardId} />
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
  "mx-auto grid w-full max-w-[1200px] items-start gap-x-12 gap-y-5 px-5 pb-16 lg:grid-cols-[minmax(0,400px)_minmax(0,1fr)]";

/** The QR code to hold up for others, on white in both themes, with the link for those who can't scan. */
function ShareHero({ subject, code }: { subject: SharedSubject; code: QrDrawing }) {
  const { name, work, url, kind, path } = subject;
  return (
    <section
      aria-label="Your QR code"
      className="rounded-card bg-white px-1 pb-2 text-center text-ink shadow-card forced-color-adjust-none"
    >
      <QrImage
        code={code}
        label={`QR code for ${name}'s ${kind === "card" ? "business card" : "profile"}`}
        className="mx-auto -mb-4 block w-full max-w-72"
      />
      <p className="heading px-4 text-lg" dir="auto">
        {name}
      </p>
      {work && (
        <p className="px-4 text-sm text-ink-soft" dir="auto">
          {work}
        </p>
      )}
      <a href={path} target="_blank" rel="noreferrer" className={addressClass} dir="ltr">
        {url.replace(/^https?:\/\//, "")}
        <span className="sr-only"> (opens your page in a new tab)</span>
      </a>
    </section>
  );
}

const addressClass =
  "inline-grid min-h-11 items-center px-4 text-sm break-all text-ink-soft underline underline-offset-4 outline-ink";

/** Ways to send the link. */
function ShareActions({ subject: { name, shareText, url } }: { subject: SharedSubject }) {
  const link = markedUrl(url, "link");
  return (
    <div className="grid gap-2.5">
      {/* Two columns; alone, without a share sheet, the main button is as wide as both. */}
      <div className="grid auto-cols-fr grid-flow-col gap-2.5 [&>[role=status]]:col-start-1 [&>[role=status]]:row-start-2">
        <CopyButton content={{ text: link }} variant="main">
          Copy link
        </CopyButton>
        <NativeShare title={name} url={link} />
      </div>
      <ul className="grid grid-cols-4 gap-2.5">
        {shareLinks({ text: shareText, url }).map(({ name: service, icon, href }) => (
          <li key={service}>
            <a
              href={href}
              target={href.startsWith("https:") ? "_blank" : undefined}
              rel="noopener noreferrer"
              className={serviceClass}
            >
              <Icon name={icon} size={24} />
              {service}
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}

const serviceClass =
  "grid justify-items-center gap-1 rounded-control border border-line-strong py-2 text-xs font-medium sm:text-sm text-text no-underline hover:bg-higher";

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

function WalletButtons({ id, wallets, path, notify }: WalletButtonsProps) {
  return (
    <>
      {wallets.apple && (
        <PassButton cardId={id} href={`${path}/pass.pkpass`} notify={notify}>
          Add to Apple Wallet
        </PassButton>
      )}
      {wallets.google && (
        <ButtonLink size="s" href={`${path}/google-wallet`} target="_blank">
          Add to Google Wallet
        </ButtonLink>
      )}
    </>
  );
}

type WalletButtonsProps = ShareCard & { path: string; notify: (toast: ToastContent) => void };
