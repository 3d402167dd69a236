import { useId } from "react";
import { useFetcher } from "react-router";

import { Button, ButtonLink } from "#app/ui/button.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";

import { messages } from "./messages.ts";
import type { CardsOfOwner, ListedCard } from "./rules.ts";

/** The owner's cards with what can be done to each. Holds forms of its own: put it beside another form, not inside. */
export function CardList({ cards, hasRoom }: CardsOfOwner) {
  if (cards.length === 0) {
    return (
      <EmptyState title={messages.noCards.title} text={messages.noCards.text} action={<CreateLink variant="main" />} />
    );
  }
  return (
    <div className="grid gap-4">
      <ul className="grid divide-y divide-line border-y border-line">
        {cards.map((card) => (
          <CardRow key={card.id} card={card} />
        ))}
      </ul>
      {hasRoom ? <CreateLink /> : <UpgradeHint />}
    </div>
  );
}

function CardRow({ card }: { card: ListedCard }) {
  const isShown = card.isPublic && !card.isPaused;
  return (
    <li className="grid gap-x-4 gap-y-2 py-4 sm:grid-cols-[1fr_auto] sm:items-center">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          <b className="font-semibold">
            <bdi>{card.cardName}</bdi>
          </b>
          {!card.isPublic && <Badge>Not public</Badge>}
          {card.isPaused && <Badge>Paused on Free</Badge>}
        </p>
        {card.work && (
          <p className="text-sm text-muted">
            <bdi>{card.work}</bdi>
          </p>
        )}
      </div>
      <div className="-mx-3 flex flex-wrap sm:mx-0">
        {isShown && (
          <ButtonLink
            variant="plain"
            size="s"
            href={`/card/${card.id}`}
            target="_blank"
            aria-label={`View ${card.cardName}`}
          >
            View
          </ButtonLink>
        )}
        <ButtonLink variant="plain" size="s" href={`/cards/edit/${card.id}`} aria-label={`Edit ${card.cardName}`}>
          Edit
        </ButtonLink>
        <DeleteCard card={card} />
      </div>
    </li>
  );
}

/** Asks first, with a popover and not a ConfirmDialog: the browser opens it by itself, so it asks where no script runs as well. */
function DeleteCard({ card }: { card: ListedCard }) {
  const id = useId();
  const fetcher = useFetcher();
  const isBusy = fetcher.state !== "idle";
  return (
    <>
      <Button variant="plain" size="s" popoverTarget={id} aria-label={`Delete ${card.cardName}`}>
        Delete
      </Button>
      <div id={id} popover="auto" role="alertdialog" aria-labelledby={`${id}-title`} className={confirmLook}>
        <p id={`${id}-title`} className="text-lg leading-7 font-semibold">
          {messages.deleteConfirm}
        </p>
        <p className="mt-2 text-muted">
          <bdi>{card.cardName}</bdi>
        </p>
        <fetcher.Form
          method="post"
          action={`/cards/${card.id}/delete`}
          className="mt-6 flex flex-wrap justify-end gap-2.5 max-sm:*:grow"
        >
          <Button popoverTarget={id} popoverTargetAction="hide">
            Cancel
          </Button>
          <Button type="submit" variant="danger" disabled={isBusy}>
            Delete
          </Button>
        </fetcher.Form>
      </div>
    </>
  );
}

function CreateLink({ variant = "quiet" }: { variant?: "main" | "quiet" }) {
  return (
    <div>
      <ButtonLink variant={variant} size="s" href="/cards/edit">
        Create card
      </ButtonLink>
    </div>
  );
}

function UpgradeHint() {
  return (
    <p className="text-sm text-muted">
      {messages.freeCardLimit.text}{" "}
      <a className="inline-flex min-h-6 items-center text-text underline underline-offset-4" href="/pricing">
        See plans
      </a>
    </p>
  );
}

function Badge({ children }: { children: string }) {
  return <span className="rounded-full bg-higher px-2.5 text-xs leading-6 text-muted">{children}</span>;
}

const confirmLook =
  "ui-confirm m-auto w-[calc(100%-40px)] max-w-110 rounded-card border border-line-strong bg-raised p-6.5 text-text shadow-card";
