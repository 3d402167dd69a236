import { useId, useRef, useState } from "react";
import { flushSync } from "react-dom";

import { Button, ButtonLink } from "#app/ui/components/button.tsx";
import { useInlineStyle } from "#app/ui/components/inline-style.ts";
import { Icon } from "#app/ui/components/icon.tsx";
import { Notice } from "#app/ui/components/notice.tsx";
import type { ToastContent } from "#app/ui/components/toast.tsx";

import { CopyLinkButton } from "#app/features/cards/editor/public-address.tsx";
import { cardDirection, plainStyle } from "#app/features/cards/card-view-model.ts";
import { cardRules } from "#app/features/cards/public/show-all-field.tsx";
import { ContactRows } from "#app/features/cards/public/contact-rows.tsx";
import type { DialogCard } from "./details-form.ts";
import { messages } from "#app/features/cards/messages.ts";
import { contactDownloaded } from "#app/features/cards/public/save-contact-button.tsx";
import { BusinessCard } from "#app/features/cards/public/business-card.tsx";
import { QrImage } from "#app/features/drawing/qr-image.tsx";

/** The card in the card dialog, with its actions and contact rows. */
export function DialogView({ card, openPass, notify }: DialogViewProps) {
  const { values, view, hidden } = card;
  const { theme } = view.style ?? plainStyle;
  useInlineStyle(cardRules(view));
  return (
    <div className="grid gap-5">
      <div className="accent [&_[data-long]]:text-lg!" data-theme={theme} dir={cardDirection(view)}>
        <BusinessCard card={view} as="p" />
      </div>
      {hidden ? <Notice title={hidden.title}>{hidden.text}</Notice> : <CardActions {...{ card, openPass, notify }} />}
      <ContactRows card={view} className={`rows ${rowsClass}`} />
      {values.bio && (
        <section>
          <h3 className="eyebrow">About</h3>
          <p className="mt-1 whitespace-pre-line" dir="auto">
            {values.bio}
          </p>
        </section>
      )}
    </div>
  );
}

type DialogViewProps = {
  card: DialogCard;
  /** Opens the pass in this device's wallet; returns the toast about it. */
  openPass: (cardId: string) => Promise<ToastContent>;
  notify: (toast: ToastContent) => void;
};

function CardActions({ card: { id, path, qr, cardUrl }, openPass, notify }: DialogViewProps) {
  const panelId = useId();
  const panel = useRef<HTMLElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const toggle = () => {
    flushSync(() => setIsOpen(!isOpen));
    // It may open below the visible part of the dialog.
    if (!isOpen) panel.current?.scrollIntoView({ block: "nearest" });
  };
  return (
    <div>
      <div className="grid grid-cols-2 gap-2.5">
        <ButtonLink
          variant="main"
          href={`${path}/contact.vcf`}
          onClick={() => notify({ ...contactDownloaded, tone: "success" })}
          className="px-2!"
        >
          <Icon name="user-plus" />
          Save
        </ButtonLink>
        <Button onClick={toggle} aria-expanded={isOpen} aria-controls={panelId} className="px-2!">
          <Icon name="qr" />
          QR
        </Button>
        <WalletButton open={async () => notify(await openPass(id))} />
        <ButtonLink href={path} target="_blank" className="px-2!">
          <Icon name="arrow-up-right" />
          Full
        </ButtonLink>
        <CopyLinkButton url={cardUrl} notify={notify} className="col-[1/-1] min-h-12! text-base!" />
      </div>
      <section ref={panel} id={panelId} hidden={!isOpen} aria-label="Share this card" className={shareClass}>
        <h3 className="font-semibold">Share this card</h3>
        <QrImage
          code={qr}
          label="QR code"
          className="mx-auto my-4 block w-60 max-w-full rounded-control bg-white forced-color-adjust-none"
        />
        <p className="text-sm text-muted">{messages.scan}</p>
      </section>
    </div>
  );
}

function WalletButton({ open }: { open: () => Promise<void> }) {
  const [isLoading, setIsLoading] = useState(false);
  const press = async () => {
    if (isLoading) return;
    setIsLoading(true);
    await open();
    setIsLoading(false);
  };
  return (
    <Button onClick={() => void press()} aria-disabled={isLoading} className="px-2!">
      <Icon name="wallet" />
      {isLoading ? "Creating..." : "Wallet"}
    </Button>
  );
}

const shareClass = "mt-2.5 rounded-card border border-line bg-ground p-5 text-center";
/** The contact rows of the public page in the dialog's colors. */
const rowsClass =
  "[--line:var(--color-line)] [--muted:var(--color-muted)] [--text:var(--color-text)] [--raised:var(--color-higher)] " +
  "[&_small]:block [&_small]:text-sm [&_small]:text-muted";
