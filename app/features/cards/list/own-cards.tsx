import { Toast } from "#app/ui/components/toast.tsx";

import { menuItemClass } from "#app/ui/forms/action-menu.tsx";

import { CardMenu } from "./card-menu.tsx";
import { CardThumbnail } from "./card-image.tsx";
import { useListActions } from "./list-actions.ts";
import type { ListActions } from "./list-actions.ts";
import { listMessages } from "#app/features/cards/list-messages.ts";
import type { CardListData, CardListItem } from "#app/features/cards/rules.ts";

/**
 * The owner's cards on their own profile page, each with a menu and a button that opens it in the card dialog. `back` is that
 * page. Needs public-page.css.
 */
export function OwnCards({ cards, ...page }: OwnCardsProps) {
  const { list, send, toast, isBusy } = useListActions();
  return (
    <div ref={list} tabIndex={-1} className="outline-none">
      {cards.length === 0 && <NoCards />}
      <ul className="grid gap-2.5 empty:hidden">
        {cards.map((card) => (
          <OwnCard key={card.id} {...{ card, send, isBusy }} {...page} />
        ))}
      </ul>
      <Toast message={toast} />
    </div>
  );
}

type OwnCardsProps = CardListData & {
  /** The id of the form that copies a card, new with each page load. */
  formId: string;
  back: string;
  onView: (id: string) => void;
};

type OwnCardProps = Omit<OwnCardsProps, "cards"> & ListActions & { card: CardListItem };

function OwnCard({ card, onView, ...menu }: OwnCardProps) {
  return (
    <li className={rowClass}>
      <CardThumbnail card={card.thumbnail} />
      {/* So wide that on a narrow screen the buttons move below it. */}
      <span className="text basis-36!">
        <b className="line-clamp-2 font-semibold!">
          <bdi>{card.cardName}</bdi>
        </b>
        <small className="line-clamp-2!">
          <bdi>{card.hidden || [card.isMain && "On your profile", card.work].filter(Boolean).join(" · ")}</bdi>
        </small>
      </span>
      <span className="flex grow items-center gap-2">
        {!card.hidden && (
          <a
            className="button main min-h-11! grow px-4! text-sm!"
            href={`/share/card/${card.id}`}
            aria-label={`Share ${card.cardName}`}
          >
            Share
          </a>
        )}
        <button
          className="button min-h-11! grow px-4! text-sm!"
          type="button"
          onClick={() => onView(card.id)}
          aria-label={`View Card: ${card.cardName}`}
        >
          View Card
        </button>
        <CardMenu card={card} {...menu}>
          <a role="menuitem" href={`/cards/edit/${card.id}`} className={menuItemClass}>
            Edit
          </a>
        </CardMenu>
      </span>
    </li>
  );
}

function NoCards() {
  return (
    <div className={emptyClass}>
      <p>{listMessages.noCards.title}.</p>
      <a className="button mt-4 px-5!" href="/cards/edit">
        Create card
      </a>
    </div>
  );
}

const emptyClass =
  "rounded-[var(--r,14px)] border border-dashed border-(--line) px-5 py-6.5 text-center text-(--muted)";

// Looks like the links around it; their own styles would also apply to the menu.
const rowClass =
  "flex min-h-16 flex-wrap items-center gap-x-3.5 gap-y-2.5 rounded-[var(--r,14px)] border border-(--line) bg-(--surface) py-3 ps-4 pe-1.5";
