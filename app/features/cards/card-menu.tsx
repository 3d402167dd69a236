import { useId, useRef } from "react";
import type { ReactNode } from "react";

import { Icon } from "#app/ui/icon.tsx";

import { DeleteQuestion } from "./delete-question.tsx";
import type { ListChanges } from "./list-state.ts";
import type { ListedCard } from "./rules.ts";

/**
 * What else can be done to a card. A popover of plain forms, which the browser opens and sends by itself; the script adds the arrow
 * keys, and moves the row without a new page.
 */
export function CardMenu({ card, send, isBusy, back, formId, hasRoom, className = "", children }: CardMenuProps) {
  const id = useId();
  const menu = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const close = () => {
    menu.current?.hidePopover();
    // The browser gives the focus back from the menu, and not from the question that was opened in it.
    button.current?.focus();
  };
  const pauseOrShow = (event: React.FormEvent<HTMLFormElement>) => {
    close();
    void send(event);
  };
  const path = `/cards/${card.id}`;
  const pause = card.isPaused ? { value: "off", label: "Show again" } : { value: "on", label: "Pause" };
  return (
    <>
      <button
        ref={button}
        type="button"
        className={`${triggerLook} ${className}`}
        popoverTarget={id}
        aria-haspopup="menu"
        aria-label={`More for ${card.cardName}`}
        title="More"
      >
        <Icon name="more" />
      </button>
      <div
        ref={menu}
        id={id}
        popover="auto"
        role="menu"
        tabIndex={-1}
        aria-label={card.cardName}
        className={menuLook}
        onToggle={({ newState, target, currentTarget }) => {
          if (newState === "open" && target === currentTarget) itemsOf(currentTarget)[0]?.focus();
        }}
        onKeyDown={walk}
      >
        {children}
        {!card.hidden && (
          <a role="menuitem" href={`/share/card/${card.id}`} className={itemLook}>
            Share
          </a>
        )}
        {/* Sent by the browser itself: it leaves the page, and what is unsaved on it is asked for first. */}
        <form method="post" action={`${path}/duplicate`}>
          <input type="hidden" name="id" value={formId} autoComplete="off" />
          <input type="hidden" name="back" value={back} />
          <button role="menuitem" className={itemLook}>
            Duplicate {!hasRoom && <small className="ms-auto text-xs text-muted">Pro</small>}
          </button>
        </form>
        {(card.isPublic || card.isPaused) && (
          <form method="post" action={`${path}/pause`} onSubmit={pauseOrShow}>
            <input type="hidden" name="pause" value={pause.value} />
            <input type="hidden" name="back" value={back} />
            <button role="menuitem" className={itemLook}>
              {pause.label}
            </button>
          </form>
        )}
        <button role="menuitem" type="button" className={`${itemLook} text-error!`} popoverTarget={`${id}-delete`}>
          Delete
        </button>
      </div>
      <DeleteQuestion id={`${id}-delete`} {...{ card, back, send, isBusy }} onClose={close} />
    </>
  );
}

type CardMenuProps = ListChanges & {
  card: ListedCard;
  /** The page to come back to. */
  back: string;
  /** Makes one copy, however often it is sent. */
  formId: string;
  hasRoom: boolean;
  /** Of the button. */
  className?: string;
  /** What stands first in the menu. */
  children?: ReactNode;
};

type MoveItemProps = { card: ListedCard; to: "up" | "down"; isDisabled: boolean; back: string; onMove: () => void };

/** Moves the card by one place. Where no script runs, the server does it and shows the page again. */
export function MoveItem({ card, to, isDisabled, back, onMove }: MoveItemProps) {
  const move = (event: React.FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    event.currentTarget.closest<HTMLElement>("[popover]")?.hidePopover();
    onMove();
  };
  return (
    <form method="post" action={`/cards/${card.id}/move`} onSubmit={move}>
      <input type="hidden" name="to" value={to} />
      <input type="hidden" name="back" value={back} />
      <button role="menuitem" className={itemLook} disabled={isDisabled}>
        {to === "up" ? "Move up" : "Move down"}
      </button>
    </form>
  );
}

/** The arrow keys, Home and End go from one item to the next, round the ends. */
function walk(event: React.KeyboardEvent<HTMLElement>) {
  const items = itemsOf(event.currentTarget);
  const at = items.findIndex((item) => item === document.activeElement);
  const places: Partial<Record<string, number>> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 };
  const place = places[event.key];
  if (place === undefined) return;
  event.preventDefault();
  items.at(place % items.length)?.focus();
}

function itemsOf(menu: HTMLElement): HTMLElement[] {
  return [...menu.querySelectorAll<HTMLElement>("a, button:enabled")];
}

const triggerLook =
  "inline-grid size-11 shrink-0 place-items-center rounded-control text-inherit opacity-70 hover:opacity-100 focus-visible:opacity-100";

// Beside its button where the browser can do that, else in the middle of the window.
const menuLook =
  "m-auto w-52 rounded-control border border-line-strong bg-higher p-1.5 font-sans text-base text-text shadow-card " +
  "supports-[position-area:bottom]:inset-auto supports-[position-area:bottom]:m-1 [position-area:bottom_span-left] " +
  "rtl:[position-area:bottom_span-right] [position-try-fallbacks:flip-block]";

/** One line of the menu. The page under it stays where it is, whatever it keeps clear for its own bars. */
export const itemLook =
  "flex min-h-11 w-full items-center gap-2 rounded-[8px] px-3.5 text-start text-sm font-medium text-text no-underline hover:bg-picked " +
  "scroll-my-0! focus-visible:bg-picked focus-visible:-outline-offset-2 disabled:cursor-not-allowed disabled:opacity-45 disabled:hover:bg-transparent";
