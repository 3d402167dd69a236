import { useEffect, useId, useRef, useState } from "react";

import { Button, ButtonLink } from "#app/ui/button.tsx";
import { directionOf } from "#app/ui/direction.ts";
import { Icon } from "#app/ui/icon.tsx";
import { Notice } from "#app/ui/notice.tsx";
import type { ToastWords } from "#app/ui/toast.tsx";

import { CopyLink } from "./card-address.tsx";
import { ContactRows } from "./contact-rows.tsx";
import type { ShownCard } from "./details-text.ts";
import { messages } from "./messages.ts";
import { PaperCard } from "./paper-card.tsx";

/** The card in the card dialog: the paper, what can be done with it, and everything on it as something to tap. */
export function CardPanel({ card, say }: { card: ShownCard; say: (words: ToastWords) => void }) {
  const { text, shown, hidden } = card;
  return (
    <div className="grid gap-5">
      <div className="[&_[data-long]]:text-lg!" dir={directionOf(shown.displayName)}>
        <PaperCard card={shown} as="p" />
      </div>
      {hidden ? <Notice title={hidden.title}>{hidden.text}</Notice> : <CardActions card={card} say={say} />}
      <ContactRows contact={shown} className={`rows ${rowsLook}`} />
      {text.bio && (
        <section>
          <h3 className="eyebrow">About</h3>
          <p className="mt-1 whitespace-pre-line" dir="auto">
            {text.bio}
          </p>
        </section>
      )}
    </div>
  );
}

function CardActions({ card: { id, qr, cardUrl }, say }: { card: ShownCard; say: (words: ToastWords) => void }) {
  const panelId = useId();
  const panel = useRef<HTMLElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  // It opens below the fold of a small screen: the browser is asked to show it.
  useEffect(() => {
    if (isOpen) panel.current?.scrollIntoView({ block: "nearest" });
  }, [isOpen]);
  return (
    <div>
      <div className="grid grid-cols-3 gap-2.5">
        <ButtonLink
          variant="main"
          href={`/card/${id}/contact.vcf`}
          onClick={() => say({ ...messages.contactDownloaded, tone: "success" })}
          className="px-2!"
        >
          <Icon name="user-plus" />
          Save
        </ButtonLink>
        <Button onClick={() => setIsOpen(!isOpen)} aria-expanded={isOpen} aria-controls={panelId} className="px-2!">
          <Icon name="qr" />
          QR
        </Button>
        <ButtonLink href={`/card/${id}`} target="_blank" className="px-2!">
          <Icon name="arrow-up-right" />
          Full
        </ButtonLink>
        <CopyLink url={cardUrl} say={say} className="col-span-3 min-h-12! text-base!" />
      </div>
      <section ref={panel} id={panelId} hidden={!isOpen} aria-label="Share this card" className={shareLook}>
        <h3 className="font-semibold">Share this card</h3>
        <svg
          className="mx-auto my-4 block w-60 max-w-full rounded-control bg-white forced-color-adjust-none"
          viewBox={`0 0 ${qr.size} ${qr.size}`}
          shapeRendering="crispEdges"
          role="img"
          aria-label="QR code"
        >
          <path d={qr.d} fill="none" stroke="#000" />
        </svg>
        <p className="text-sm text-muted">{messages.scan}</p>
      </section>
    </div>
  );
}

const shareLook = "mt-2.5 rounded-card border border-line bg-ground p-5 text-center";
/** The rows of a visitor's page, in the dialog's own colours. */
const rowsLook =
  "[--line:var(--color-line)] [--muted:var(--color-muted)] [--text:var(--color-text)] [--raised:var(--color-higher)] " +
  "[&_small]:block [&_small]:text-sm [&_small]:text-muted";
