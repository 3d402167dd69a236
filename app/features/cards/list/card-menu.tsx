import { useId, useRef } from "react";
import type { ReactNode } from "react";

import { cardPath } from "#app/features/cards/address-rules.ts";
import { listMessages } from "#app/features/cards/list-messages.ts";
import type { CardListItem } from "#app/features/cards/rules.ts";
import { usePremiumAccess } from "#app/features/shell/site-facts.ts";
import { Button } from "#app/ui/components/button.tsx";
import { ActionMenu, menuItemClass } from "#app/ui/forms/action-menu.tsx";

import type { ListActions } from "./list-actions.ts";

/**
 * The menu of a card: a popover with plain forms that also works without script. The script adds the arrow keys and changes the
 * list without loading the page again.
 */
export function CardMenu({ card, send, isBusy, back, formId, hasRoom, className = "", children }: CardMenuProps) {
  const id = useId();
  const menu = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const close = () => {
    menu.current?.hidePopover();
    // The browser returns the focus from the menu, but not from the dialog that was opened in it.
    button.current?.focus();
  };
  const changeList = (event: React.FormEvent<HTMLFormElement>) => {
    close();
    void send(event);
  };
  const isPremiumSold = usePremiumAccess() === "sold";
  const path = `/cards/${card.id}`;
  const pause = card.isPaused ? { value: "off", label: "Unpause" } : { value: "on", label: "Pause" };
  const main = card.isMain
    ? { value: "off", label: "Hide from my profile" }
    : { value: "on", label: "Show on my profile" };
  return (
    <>
      <ActionMenu
        label={`More actions for ${card.cardName}`}
        name={card.cardName}
        menuRef={menu}
        buttonRef={button}
        className={className}
      >
        {children}
        {!card.hidden && (
          <a role="menuitem" href={cardPath(card)} target="_blank" className={menuItemClass}>
            Open page
          </a>
        )}
        {(card.isMain || !card.hidden) && (
          <ListItemForm action={`${path}/main`} name="main" {...main} back={back} onSubmit={changeList} />
        )}
        {/* A normal submission: it leaves the page, so unsaved changes are confirmed first. */}
        {(hasRoom || isPremiumSold) && (
          <form method="post" action={`${path}/duplicate`}>
            <input type="hidden" name="id" value={formId} autoComplete="off" />
            <input type="hidden" name="back" value={back} />
            <button role="menuitem" className={menuItemClass}>
              Duplicate {!hasRoom && <small className="ms-auto text-xs text-muted">Pro</small>}
            </button>
          </form>
        )}
        {(card.isPublic || card.isPaused) && (
          <ListItemForm action={`${path}/pause`} name="pause" {...pause} back={back} onSubmit={changeList} />
        )}
        <button role="menuitem" type="button" className={`${menuItemClass} text-error!`} popoverTarget={`${id}-delete`}>
          Delete
        </button>
      </ActionMenu>
      <DeleteCardDialog id={`${id}-delete`} {...{ card, back, send, isBusy }} onClose={close} />
    </>
  );
}

type CardMenuProps = ListActions & {
  card: CardListItem;
  /** The page to return to. */
  back: string;
  /** Creates one copy, however often it is sent. */
  formId: string;
  hasRoom: boolean;
  /** Of the button. */
  className?: string;
  /** The first items of the menu. */
  children?: ReactNode;
};

/** A change of the list that one field describes. */
function ListItemForm({ action, name, value, label, back, onSubmit }: ListItemFormProps) {
  return (
    <form method="post" action={action} onSubmit={onSubmit}>
      <input type="hidden" name={name} value={value} />
      <input type="hidden" name="back" value={back} />
      <button role="menuitem" className={menuItemClass}>
        {label}
      </button>
    </form>
  );
}

type ListItemFormProps = Record<"action" | "name" | "value" | "label" | "back", string> & {
  onSubmit: (event: React.FormEvent<HTMLFormElement>) => void;
};

type MoveItemProps = { card: CardListItem; to: "up" | "down"; isDisabled: boolean; back: string; onMove: () => void };

/** Moves the card by one position. Without script the server does it and shows the page again. */
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
      <button role="menuitem" className={menuItemClass} disabled={isDisabled}>
        {to === "up" ? "Move up" : "Move down"}
      </button>
    </form>
  );
}

/** Confirms the deletion. A popover instead of a ConfirmDialog, because the browser opens it without script. */
export function DeleteCardDialog({ id, card, back, send, isBusy, onClose }: DeleteCardDialogProps) {
  const submit = async (event: React.FormEvent<HTMLFormElement>) => {
    const dialog = event.currentTarget.closest<HTMLElement>("[popover]");
    // It stays open until the response: the second click of a double click would hit what is behind it.
    await send(event);
    if (dialog?.isConnected) dialog.hidePopover();
  };
  return (
    <div
      id={id}
      popover="auto"
      role="alertdialog"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-name`}
      className={deleteDialogClass}
      onToggle={({ newState }) => newState === "closed" && onClose()}
    >
      <p id={`${id}-title`} className="heading text-lg">
        {listMessages.deleteConfirm}
      </p>
      <p id={`${id}-name`} className="mt-2 text-muted wrap-anywhere">
        <bdi className="block font-medium text-text">{card.cardName}</bdi> {listMessages.deletesLeads}
      </p>
      <form
        method="post"
        action={`/cards/${card.id}/delete`}
        onSubmit={(event) => void submit(event)}
        className="mt-6 flex flex-wrap justify-end gap-2.5 max-sm:*:grow"
      >
        <input type="hidden" name="back" value={back} />
        <Button popoverTarget={id} popoverTargetAction="hide">
          Cancel
        </Button>
        <Button type="submit" variant="danger" disabled={isBusy}>
          Delete
        </Button>
      </form>
    </div>
  );
}

type DeleteCardDialogProps = ListActions & {
  id: string;
  card: CardListItem;
  back: string;
  onClose: () => void;
};

const deleteDialogClass =
  "ui-modal m-auto w-[calc(100%-40px)] max-w-110 rounded-card border border-line-strong bg-raised p-6.5 font-sans text-base text-text shadow-card";
