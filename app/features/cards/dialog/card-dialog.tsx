import { useEffect, useId, useRef, useState } from "react";
import type { ComponentType, ReactNode } from "react";
import { flushSync } from "react-dom";
import { useFetcher } from "react-router";

import { ConfirmDialog } from "#app/ui/components/confirm-dialog.tsx";
import { Modal, ModalHeader, modalPadding } from "#app/ui/components/modal.tsx";
import { Notice } from "#app/ui/components/notice.tsx";
import { Skeleton } from "#app/ui/components/loading.tsx";
import { Tabs } from "#app/ui/components/tabs.tsx";
import { Toast, useLatestToast } from "#app/ui/components/toast.tsx";
import type { ToastContent } from "#app/ui/components/toast.tsx";

import { DialogView } from "./dialog-view.tsx";
import { DialogForm } from "./dialog-form.tsx";
import { changedDetails } from "./details-form.ts";
import type { DetailsSaveResult, DetailsFormValues, DialogCardResult, DialogCard } from "./details-form.ts";
import { messages } from "#app/features/cards/messages.ts";
import { fallbackName } from "#app/features/cards/public/business-card.tsx";

/** One of the owner's cards in a dialog on their profile page: to view, share and edit. */
export function CardDialog({ cardId, displayName, bioCount, PassPanel, openPass, onClose }: CardDialogProps) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const { data: card, load } = useFetcher<DialogCardResult>();
  const saving = useFetcher<DetailsSaveResult>();
  const [typed, setTyped] = useState<DetailsFormValues>();
  const [isConfirming, setIsConfirming] = useState(false);
  const [isPassDirty, setIsPassDirty] = useState(false);

  const changed =
    card && !card.problem && typed ? changedDetails(typed, { saved: card.values, result: saving.data }) : {};
  const areDetailsDirty = Object.keys(changed).length > 0;
  const isDirty = areDetailsDirty || isPassDirty;

  // Loaded with the dialog, because most visits to the profile page never open it.
  useEffect(() => void load(`/cards/${cardId}/details`), [cardId, load]);

  // Only the browser's event tells that the page is reloaded or left.
  useEffect(() => {
    if (!isDirty) return;
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", onUnload);
    return () => window.removeEventListener("beforeunload", onUnload);
  }, [isDirty]);

  // The browser closes it first, so that the focus returns to where it was.
  const close = () => dialog.current?.close();
  const closeBoth = () => {
    // The confirmation first: while it is open, nothing outside it can be focused.
    flushSync(() => setIsConfirming(false));
    close();
  };
  const leave = () => (isDirty ? setIsConfirming(true) : close());
  const cancel = (event: React.SyntheticEvent) => {
    if (!isDirty) return;
    event.preventDefault();
    setIsConfirming(true);
  };
  return (
    <Modal ref={dialog} className={dialogClass} labelledBy={`${id}-title`} onCancel={cancel} onClose={onClose}>
      <ModalHeader id={`${id}-title`} title={`${displayName.trim() || fallbackName} Business Card`} onClose={leave} />
      {!card && <CardSkeleton />}
      {card?.problem && (
        <Notice tone="error" title={card.problem.title}>
          {card.problem.text}
        </Notice>
      )}
      {card && !card.problem && (
        <DialogTabs
          card={card}
          result={saving.data}
          isDirty={areDetailsDirty}
          openPass={openPass}
          pass={<PassPanel cardId={cardId} onDirty={setIsPassDirty} />}
        >
          <DialogForm
            values={typed ?? card.values}
            result={saving.data}
            bioCount={bioCount}
            isDirty={areDetailsDirty}
            isSaving={saving.state !== "idle"}
            onType={setTyped}
            onSave={() => void saving.submit(changed, { method: "post", action: `/cards/${card.id}/details` })}
          />
        </DialogTabs>
      )}
      <ConfirmDialog
        open={isConfirming}
        title="Leave without saving?"
        text={messages.leave}
        confirmLabel="Leave"
        cancelLabel="Stay"
        onConfirm={closeBoth}
        onCancel={() => setIsConfirming(false)}
      />
    </Modal>
  );
}

type CardDialogProps = {
  cardId: string;
  displayName: string;
  /** "57/160". */
  bioCount: (bio: string) => string;
  /** The content of the tab Digital Pass; it may be loaded when it is first rendered. */
  PassPanel: ComponentType<{ cardId: string; onDirty: (isDirty: boolean) => void }>;
  /** Opens the pass of a card in this device's wallet; returns the toast about it. */
  openPass: (cardId: string) => Promise<ToastContent>;
  onClose: () => void;
};

type DialogTabsProps = Pick<CardDialogProps, "openPass"> & {
  card: DialogCard;
  result: DetailsSaveResult | undefined;
  isDirty: boolean;
  pass: ReactNode;
  children: ReactNode;
};

function DialogTabs({ card, result, isDirty, openPass, pass, children }: DialogTabsProps) {
  const [toast, setToast] = useLatestToast(result?.toast);
  const [hasOpenedPass, setHasOpenedPass] = useState(false);
  const view = <DialogView card={card} openPass={openPass} notify={setToast} />;
  return (
    <>
      <Tabs
        label="Business card"
        tabs={[
          { id: "view", label: "View Card", content: view },
          { id: "edit", label: "Edit Details", content: children },
          {
            id: "pass",
            label: "Digital Pass",
            content: hasOpenedPass && pass,
          },
        ]}
        onSelect={(id) => id === "pass" && setHasOpenedPass(true)}
      />
      {/* In the dialog, because everything behind a modal dialog is inert; and above the button at its edge. */}
      <div className={isDirty ? "[&>*]:bottom-24!" : ""}>
        <Toast message={toast} />
      </div>
    </>
  );
}

/** A placeholder in the shape of the tabs, the card and the buttons. */
export function CardSkeleton() {
  return (
    <div className="grid gap-5" role="status" aria-label="Loading...">
      <Skeleton className="h-13" />
      <Skeleton className="aspect-[91/55]" />
      <Skeleton className="h-12" />
    </div>
  );
}

const dialogClass = `max-h-[94dvh] w-full max-w-120 overflow-y-auto max-sm:mb-0 max-sm:max-w-none max-sm:rounded-b-none ${modalPadding}`;
