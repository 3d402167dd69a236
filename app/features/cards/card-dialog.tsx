import { useEffect, useId, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useFetcher } from "react-router";

import { IconButton } from "#app/ui/button.tsx";
import { ConfirmDialog } from "#app/ui/confirm-dialog.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { Skeleton } from "#app/ui/skeleton.tsx";
import { Tabs } from "#app/ui/tabs.tsx";
import { Toast } from "#app/ui/toast.tsx";

import { CardPanel } from "./card-panel.tsx";
import { DetailsPanel } from "./details-panel.tsx";
import { unsavedDetails } from "./details-text.ts";
import type { DetailsAnswer, DetailsText, DialogCard, ShownCard } from "./details-text.ts";
import { useLatestToast } from "./latest-toast.ts";
import { messages } from "./messages.ts";
import { fallbackName } from "./paper-card.tsx";

/** One of the owner's cards over their profile: to look at, to hand over, and to correct on the spot. */
export function CardDialog({ cardId, displayName, bioCount, onClose }: CardDialogProps) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const { data: card, load } = useFetcher<DialogCard>();
  const saving = useFetcher<DetailsAnswer>();
  const [typed, setTyped] = useState<DetailsText>();
  const [isAsking, setIsAsking] = useState(false);

  const changed =
    card && !card.problem && typed ? unsavedDetails(typed, { saved: card.text, answer: saving.data }) : {};
  const isDirty = Object.keys(changed).length > 0;

  // Only the browser can open a dialog as a modal one: there is no attribute for it.
  useEffect(() => dialog.current?.showModal(), []);
  // The card comes with its dialog: a profile page does not carry what most people never open.
  useEffect(() => void load(`/cards/${cardId}/details`), [cardId, load]);

  // Closed by the browser first, so that the focus goes back to where it was.
  const close = () => dialog.current?.close();
  const closeBoth = () => {
    // The question first: while it is open, nothing outside it takes the focus.
    flushSync(() => setIsAsking(false));
    close();
  };
  const leave = () => (isDirty ? setIsAsking(true) : close());
  const cancel = (event: React.SyntheticEvent) => {
    if (!isDirty || event.target !== event.currentTarget) return;
    event.preventDefault();
    setIsAsking(true);
  };
  return (
    <dialog
      ref={dialog}
      className={dialogLook}
      aria-labelledby={`${id}-title`}
      onCancel={cancel}
      onClose={({ target, currentTarget }) => target === currentTarget && onClose()}
    >
      <header className="mb-4 flex items-start justify-between gap-3">
        <h2 id={`${id}-title`} className="heading pt-1.5 text-lg" dir="auto">
          {displayName.trim() || fallbackName} Business Card
        </h2>
        <IconButton label="Close" onClick={leave} className="-me-2.5">
          <Icon name="close" />
        </IconButton>
      </header>
      {!card && <CardSkeleton />}
      {card?.problem && (
        <Notice tone="error" title={card.problem.title}>
          {card.problem.text}
        </Notice>
      )}
      {card && !card.problem && (
        <DialogTabs card={card} answer={saving.data} isDirty={isDirty}>
          <DetailsPanel
            text={typed ?? card.text}
            answer={saving.data}
            bioCount={bioCount}
            isDirty={isDirty}
            isSaving={saving.state !== "idle"}
            onType={setTyped}
            onSave={() => void saving.submit(changed, { method: "post", action: `/cards/${card.id}/details` })}
          />
        </DialogTabs>
      )}
      <ConfirmDialog
        open={isAsking}
        title="Leave without saving?"
        text={messages.leave}
        confirmLabel="Leave"
        cancelLabel="Stay"
        onConfirm={closeBoth}
        onCancel={() => setIsAsking(false)}
      />
    </dialog>
  );
}

type CardDialogProps = {
  cardId: string;
  displayName: string;
  /** "57/160". */
  bioCount: (bio: string) => string;
  onClose: () => void;
};

type TabsProps = {
  card: ShownCard;
  answer: DetailsAnswer | undefined;
  isDirty: boolean;
  children: React.ReactNode;
};

function DialogTabs({ card, answer, isDirty, children }: TabsProps) {
  const [toast, setToast] = useLatestToast(answer?.toast);
  const viewed = <CardPanel card={card} say={setToast} />;
  return (
    <>
      <Tabs
        label="Business card"
        tabs={[
          { id: "view", label: "View Card", content: viewed },
          { id: "edit", label: "Edit Details", content: children },
        ]}
      />
      {/* In here, because what lies behind a modal dialog is neither seen nor read out; and not over the button at its edge. */}
      <div className={isDirty ? "[&>*]:bottom-24!" : ""}>
        <Toast message={toast} />
      </div>
    </>
  );
}

/** The shape of the tabs, the paper and the buttons. */
function CardSkeleton() {
  return (
    <div className="grid gap-5" role="status" aria-label="Loading...">
      <Skeleton className="h-13" />
      <Skeleton className="aspect-[91/55]" />
      <Skeleton className="h-12" />
    </div>
  );
}

const dialogLook =
  "ui-confirm m-auto max-h-[94dvh] w-full max-w-120 overflow-y-auto overscroll-contain rounded-card border border-line-strong bg-raised p-5 text-text " +
  "shadow-card max-sm:mb-0 max-sm:max-w-none max-sm:rounded-b-none sm:p-6.5";
