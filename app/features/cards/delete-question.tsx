import { Button } from "#app/ui/button.tsx";

import type { ListChanges } from "./list-state.ts";
import { listWords } from "./list-words.ts";
import type { ListedCard } from "./rules.ts";

/** Asks before a card goes. A popover and not a ConfirmDialog: the browser opens it by itself, so it asks where no script runs as well. */
export function DeleteQuestion({ id, card, back, send, isBusy, onClose }: DeleteQuestionProps) {
  const ask = async (event: React.FormEvent<HTMLFormElement>) => {
    const question = event.currentTarget.closest<HTMLElement>("[popover]");
    // It stays until there is an answer: the second tap of two would meet what lies behind it.
    await send(event);
    if (question?.isConnected) question.hidePopover();
  };
  return (
    <div
      id={id}
      popover="auto"
      role="alertdialog"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-name`}
      className={look}
      onToggle={({ newState }) => newState === "closed" && onClose()}
    >
      <p id={`${id}-title`} className="text-lg leading-7 font-semibold">
        {listWords.deleteConfirm}
      </p>
      <p id={`${id}-name`} className="mt-2 text-muted">
        <bdi>{card.cardName}</bdi>
      </p>
      <form
        method="post"
        action={`/cards/${card.id}/delete`}
        onSubmit={(event) => void ask(event)}
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

type DeleteQuestionProps = ListChanges & {
  id: string;
  card: ListedCard;
  back: string;
  onClose: () => void;
};

const look =
  "ui-confirm m-auto w-[calc(100%-40px)] max-w-110 rounded-card border border-line-strong bg-raised p-6.5 font-sans text-base text-text shadow-card";
