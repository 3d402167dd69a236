import { useId, useRef } from "react";
import type { ReactNode, RefObject } from "react";
import { createPortal } from "react-dom";

import type { PassEditorData } from "#app/features/wallet/design/design-data.server.ts";
import type { LibraryControl } from "#app/features/wallet/design/form-state.ts";
import { Modal, ModalHeader, modalPadding } from "#app/ui/components/modal.tsx";

import { LibraryPanel } from "./library-panel.tsx";
import { UploadPanel } from "./upload-panel.tsx";

/** A dialog in which one image of a pass is chosen. */
export type ImageDialogProps = {
  pass: Pick<PassEditorData, "library" | "source">;
  chosen: string;
  onChoose: (image: string) => void;
  library: LibraryControl;
  onClose: () => void;
};

/** The panels of an image dialog. `none` is chosen when the chosen upload is deleted. Choosing closes the dialog. */
export function useImagePanels(
  { pass, chosen, onChoose, library }: ImageDialogProps,
  { kind, none }: { kind: "logo" | "background"; none: string },
) {
  const dialog = useRef<HTMLDialogElement>(null);
  const choose = (image: string) => {
    onChoose(image);
    dialog.current?.close();
  };
  const store = (key: string) => {
    library.reload();
    choose(`asset:${key}`);
  };
  const remove = (key: string) => {
    if (chosen === `asset:${key}`) onChoose(none);
    library.reload();
  };
  return {
    dialog,
    choose,
    upload: <UploadPanel kind={kind} onStored={store} />,
    library: (
      <LibraryPanel
        kind={kind}
        images={pass.library}
        library={library}
        chosen={chosen}
        onChoose={choose}
        onRemoved={remove}
      />
    ),
  };
}

type ImageModalProps = {
  dialog: RefObject<HTMLDialogElement | null>;
  title: string;
  onClose: () => void;
  children: ReactNode;
};

/** Outside the form, so that Enter doesn't submit it. */
export function ImageModal({ dialog, title, onClose, children }: ImageModalProps) {
  const id = useId();
  return createPortal(
    <Modal ref={dialog} className={dialogClass} labelledBy={id} onClose={onClose}>
      <ModalHeader id={id} title={title} onClose={() => dialog.current?.close()} />
      {children}
    </Modal>,
    document.body,
  );
}

const dialogClass = `max-h-[94dvh] w-full max-w-140 overflow-y-auto max-sm:mb-0 max-sm:max-w-none max-sm:rounded-b-none ${modalPadding}`;
