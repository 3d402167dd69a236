import { useId } from "react";

import { cardPath } from "#app/features/cards/address-rules.ts";
import { CardThumbnail } from "#app/features/cards/list/card-image.tsx";
import type { CardListItem } from "#app/features/cards/rules.ts";
import { Button, ButtonLink, IconButton } from "#app/ui/components/button.tsx";
import { Icon } from "#app/ui/components/icon.tsx";

/** One of the owner's cards, with what is done with it most: share it, show its QR code, edit it. */
export function CardTile({ card }: { card: CardListItem }) {
  const { id, cardName, hidden } = card;
  const qrId = useId();
  return (
    <li className="grid min-w-0 content-start gap-3">
      <CardThumbnail card={card.thumbnail} className="w-full rounded-card" />
      <p className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <b className="line-clamp-2 font-semibold wrap-anywhere">
          <bdi>{cardName}</bdi>
        </b>
        {hidden && <span className="rounded-full bg-higher px-2.5 text-xs leading-6 text-muted">{hidden}</span>}
      </p>
      <div className="flex gap-2">
        {!hidden && (
          <>
            <ButtonLink
              variant="main"
              size="s"
              href={`/share/card/${id}`}
              aria-label={`Share ${cardName}`}
              className="grow"
            >
              <Icon name="share" />
              Share
            </ButtonLink>
            <Button size="s" popoverTarget={qrId} aria-label={`QR code of ${cardName}`}>
              <Icon name="qr" />
              QR
            </Button>
          </>
        )}
        <ButtonLink size="s" href={`/cards/edit/${id}`} aria-label={`Edit ${cardName}`} className={hidden && "grow"}>
          Edit
        </ButtonLink>
      </div>
      {!hidden && <QrPopover id={qrId} card={card} />}
    </li>
  );
}

/** Opens without script, and loads the image only then. */
function QrPopover({ id, card }: { id: string; card: CardListItem }) {
  return (
    <section id={id} popover="auto" aria-label={`QR code of ${card.cardName}`} className={popoverClass}>
      <IconButton
        label="Close"
        popoverTarget={id}
        popoverTargetAction="hide"
        className="absolute end-2 top-2 text-ink! hover:bg-black/5!"
      >
        <Icon name="close" />
      </IconButton>
      <img
        src={`${cardPath(card)}/qr.svg`}
        alt={`QR code that opens ${card.cardName}`}
        loading="lazy"
        width={320}
        height={320}
        className="mx-auto block w-full max-w-80"
      />
      <p className="text-center text-lg font-semibold wrap-anywhere">
        <bdi>{card.thumbnail.name}</bdi>
      </p>
      {card.work && <p className="text-center text-sm text-ink-soft wrap-anywhere">{card.work}</p>}
    </section>
  );
}

/** White in both modes: codes need a light background. */
const popoverClass =
  "ui-modal relative m-auto w-[calc(100%-40px)] max-w-100 rounded-card bg-white p-6 pt-12 text-ink shadow-card forced-color-adjust-none";
