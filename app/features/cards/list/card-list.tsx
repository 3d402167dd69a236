import { useRef } from "react";

import { usePremiumAccess } from "#app/features/shell/site-facts.ts";
import { Button, ButtonLink } from "#app/ui/components/button.tsx";
import { Icon } from "#app/ui/components/icon.tsx";
import { EmptyState } from "#app/ui/components/panel.tsx";
import { RowHandle } from "#app/ui/components/row-handle.tsx";
import { Toast } from "#app/ui/components/toast.tsx";

import { CardMenu, MoveItem } from "./card-menu.tsx";
import { CardThumbnail } from "./card-image.tsx";
import { useCardOrder, useListActions } from "./list-actions.ts";
import type { ListActions } from "./list-actions.ts";
import { listMessages } from "#app/features/cards/list-messages.ts";
import type { CardListData, CardListItem } from "#app/features/cards/rules.ts";

/** The owner's cards with their actions. Contains forms, so it can't be inside another form. */
export function CardList({ cards, hasRoom, fullNote, formId, back, metrics, className = "border-y" }: CardListProps) {
  const { list, send, notify, toast, isBusy } = useListActions();
  const { ordered, move, announcement } = useCardOrder(cards, notify);
  return (
    <div ref={list} tabIndex={-1} className="grid gap-4 outline-none">
      {cards.length === 0 ? (
        <EmptyState {...listMessages.noCards} action={<NewCardLinks variant="main" />} />
      ) : (
        <ul className={`group/rows @container grid grid-cols-1 divide-y divide-line border-line ${className}`}>
          {ordered.map((card, index) => (
            <CardRow
              key={card.id}
              {...{ card, index, hasRoom, formId, back, send, isBusy, count: cards.length }}
              metrics={metrics?.[card.id]}
              onMove={(to) => move(card, to)}
            />
          ))}
        </ul>
      )}
      {cards.length > 0 && (hasRoom ? <NewCardLinks /> : <LimitNote text={fullNote} />)}
      {mainCardNote(cards) && <p className="text-sm text-muted">{mainCardNote(cards)}</p>}
      <output className="sr-only">{announcement}</output>
      <Toast message={toast} />
    </div>
  );
}

type CardListProps = CardListData & {
  /** The id of the form that copies a card, new with each page load. */
  formId: string;
  /** The page with this list. */
  back: string;
  /** Why there is no room for another card. */
  fullNote: string;
  /** "34 visits in 30 days" by card ID. */
  metrics?: Record<string, string> | undefined;
  /** Of the list, with its border. */
  className?: string;
};

type CardRowProps = Omit<CardListProps, "cards" | "fullNote" | "metrics" | "className"> &
  ListActions & {
    card: CardListItem;
    index: number;
    count: number;
    metrics: string | undefined;
    onMove: (to: number) => void;
  };

function CardRow({ card, index, count, metrics, onMove, hasRoom, formId, back, send, isBusy }: CardRowProps) {
  const row = useRef<HTMLLIElement>(null);
  const canMove = count > 1;
  return (
    <li ref={row} className={`${rowClass} ${canMove ? "ps-9 noscript:ps-0" : ""}`}>
      {canMove && <RowHandle name={card.cardName} index={index} isFixed={false} onMove={onMove} />}
      <CardThumbnail card={card.thumbnail} />
      <div className="min-w-0 self-center wrap-anywhere @2xl:row-span-2">
        <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          <b className={`font-semibold ${card.hidden ? "text-muted" : ""}`}>
            <bdi className="line-clamp-2">{card.cardName}</bdi>
          </b>
          {card.hidden && <Badge>{card.hidden}</Badge>}
          {card.isMain && <Badge>On your profile</Badge>}
        </p>
        {card.work && (
          <p className="text-sm text-muted">
            <bdi className="line-clamp-2">{card.work}</bdi>
          </p>
        )}
        {card.isUnreachable && !card.hidden && <p className="text-sm text-muted">{listMessages.unreachable}</p>}
        {metrics && <p className="text-sm text-muted">{metrics}</p>}
      </div>
      <div className="col-[1/-1] flex flex-wrap items-center gap-2 sm:col-[2] @2xl:col-[3] @2xl:row-[1/3]">
        {!card.hidden && (
          <ButtonLink
            variant="main"
            size="s"
            href={`/share/card/${card.id}`}
            aria-label={`Share ${card.cardName}`}
            className="max-sm:grow"
          >
            <Icon name="share" />
            Share
          </ButtonLink>
        )}
        {card.isPaused && (
          <ShowAgainButton
            {...{ card, back, send, isBusy }}
            onSend={() => row.current?.querySelector<HTMLElement>("[popovertarget]")?.focus()}
          />
        )}
        <ButtonLink size="s" href={`/cards/edit/${card.id}`} aria-label={`Edit ${card.cardName}`}>
          Edit
        </ButtonLink>
        <CardMenu {...{ card, back, formId, hasRoom, send, isBusy }} className="max-sm:ms-auto">
          {canMove && (
            <div className="mb-1.5 border-b border-line pb-1.5">
              <MoveItem {...{ card, back }} to="up" isDisabled={index === 0} onMove={() => onMove(index - 1)} />
              <MoveItem
                {...{ card, back }}
                to="down"
                isDisabled={index === count - 1}
                onMove={() => onMove(index + 1)}
              />
            </div>
          )}
        </CardMenu>
      </div>
    </li>
  );
}

type ShowAgainButtonProps = ListActions & { card: CardListItem; back: string; onSend: () => void };

/** Called before sending: moves the focus, because the button disappears. */
function ShowAgainButton({ card, back, send, isBusy, onSend }: ShowAgainButtonProps) {
  const submit = (event: React.FormEvent<HTMLFormElement>) => {
    onSend();
    void send(event);
  };
  return (
    <form method="post" action={`/cards/${card.id}/pause`} onSubmit={submit}>
      <input type="hidden" name="pause" value="off" />
      <input type="hidden" name="back" value={back} />
      <Button type="submit" size="s" disabled={isBusy} aria-label={`Unpause ${card.cardName}`}>
        Unpause
      </Button>
    </form>
  );
}

function NewCardLinks({ variant = "quiet" }: { variant?: "main" | "quiet" }) {
  return (
    <div className={`flex flex-wrap items-center gap-x-2 gap-y-1 ${variant === "main" ? "justify-center" : ""}`}>
      <ButtonLink variant={variant} size="s" href="/cards/edit">
        Create card
      </ButtonLink>
      <ButtonLink
        variant="plain"
        size="s"
        href="/cards/edit?import"
        aria-label="Import a card from a contact file or LinkedIn"
      >
        Import
      </ButtonLink>
    </div>
  );
}

/** Which card visitors find on the profile, unless there is nothing to choose. */
function mainCardNote(cards: readonly CardListItem[]): string | undefined {
  if (cards.every(({ hidden }) => hidden)) return undefined;
  if (!cards.some(({ isMain }) => isMain)) return listMessages.noMainCard;
  return cards.length > 1 ? listMessages.mainCard : undefined;
}

function LimitNote({ text }: { text: string }) {
  const isSold = usePremiumAccess() === "sold";
  return (
    <p className="text-sm text-muted">
      {text}{" "}
      {isSold && (
        <a className="inline-flex min-h-6 items-center text-text underline underline-offset-4" href="/pricing">
          See plans
        </a>
      )}
    </p>
  );
}

function Badge({ children }: { children: string }) {
  return (
    <span className="rounded-full bg-higher px-2.5 text-xs whitespace-nowrap leading-6 text-muted">{children}</span>
  );
}

const rowClass =
  "relative grid grid-cols-[auto_minmax(0,1fr)] @2xl:grid-cols-[auto_minmax(0,1fr)_auto] gap-x-4 max-[359px]:grid-cols-1 gap-y-3 bg-raised py-4 group-data-dragging/rows:transition-transform " +
  "motion-reduce:transition-none! data-dragged:z-10 data-dragged:rounded-control data-dragged:shadow-card data-dragged:transition-none!";
