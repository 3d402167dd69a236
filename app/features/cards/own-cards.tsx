import { Toast } from "#app/ui/toast.tsx";

import { CardMenu, itemLook } from "./card-menu.tsx";
import { useListChanges } from "./list-state.ts";
import type { ListChanges } from "./list-state.ts";
import { listWords } from "./list-words.ts";
import type { CardsOfOwner, ListedCard } from "./rules.ts";

/**
 * The owner's cards on their own profile page, each with the button that opens it in the card dialog and a menu. `back` is that page.
 * Needs public.css.
 */
export function OwnCards({ cards, ...page }: OwnCardsProps) {
  const { list, send, said, isBusy } = useListChanges();
  return (
    <div ref={list} tabIndex={-1} className="outline-none">
      {cards.length === 0 && <NoCards />}
      <ul className="grid gap-2.5 empty:hidden">
        {cards.map((card) => (
          <OwnCard key={card.id} {...{ card, send, isBusy }} {...page} />
        ))}
      </ul>
      <Toast message={said} />
    </div>
  );
}

type OwnCardsProps = CardsOfOwner & {
  /** Of a form that makes a copy; another one with each page. */
  formId: string;
  back: string;
  onView: (id: string) => void;
};

type OwnCardProps = Omit<OwnCardsProps, "cards"> & ListChanges & { card: ListedCard };

function OwnCard({ card, onView, ...menu }: OwnCardProps) {
  return (
    <li className={rowLook}>
      <span className="words">
        <b className="font-semibold!">
          <bdi>{card.cardName}</bdi>
        </b>
        <small>
          <bdi>{card.hidden || card.work}</bdi>
        </small>
      </span>
      <span className="flex items-center gap-0.5">
        <button
          className="button min-h-11! px-4! text-sm!"
          type="button"
          onClick={() => onView(card.id)}
          aria-label={`View Card: ${card.cardName}`}
        >
          View Card
        </button>
        <CardMenu card={card} {...menu}>
          <a role="menuitem" href={`/cards/edit/${card.id}`} className={itemLook}>
            Edit
          </a>
        </CardMenu>
      </span>
    </li>
  );
}

function NoCards() {
  return (
    <div className="empty">
      <p>{listWords.noCards.title}.</p>
      <a className="button mt-4 px-5!" href="/cards/edit">
        Create card
      </a>
    </div>
  );
}

// As the links around it look, whose own style would reach into the menu.
const rowLook =
  "flex min-h-16 flex-wrap items-center gap-x-3.5 gap-y-1 rounded-[var(--r,14px)] border border-(--line) bg-(--surface) py-2 ps-4 pe-1.5";
