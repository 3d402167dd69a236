import { messages } from "./messages.ts";
import type { ListedCard } from "./rules.ts";

/** The owner's cards on their own profile page, each with the button that opens it in the card dialog. Needs public.css. */
export function OwnCards({ cards, onView }: { cards: readonly ListedCard[]; onView: (id: string) => void }) {
  if (cards.length === 0) return <NoCards />;
  return (
    <ul className="cards">
      {cards.map((card) => (
        <li key={card.id} className={rowLook}>
          <span className="words">
            <b>
              <bdi>{card.cardName}</bdi>
            </b>
            <small>
              <bdi>{stateOf(card) ?? card.work}</bdi>
            </small>
          </span>
          <button
            className="button min-h-11! px-4! text-sm!"
            type="button"
            onClick={() => onView(card.id)}
            aria-label={`View Card: ${card.cardName}`}
          >
            View Card
          </button>
        </li>
      ))}
    </ul>
  );
}

function NoCards() {
  return (
    <div className="empty">
      <p>{messages.noCards.title}.</p>
      <a className="button mt-4 px-5!" href="/cards/edit">
        Create card
      </a>
    </div>
  );
}

function stateOf({ isPublic, isPaused }: ListedCard): string | undefined {
  if (!isPublic) return "Not public";
  return isPaused ? "Paused on Free" : undefined;
}

// As the links around it look, whose style is for links alone.
const rowLook =
  "flex min-h-16 flex-wrap items-center gap-x-3.5 gap-y-1 rounded-[14px] border border-(--line) bg-(--surface) py-2 ps-4 pe-2.5";
