import { useId, useRef } from "react";
import { createPortal } from "react-dom";

import type { PassEditorData } from "#app/features/wallet/design/design-data.server.ts";
import type { LibraryControl } from "#app/features/wallet/design/form-state.ts";
import { Modal, ModalHeader, modalPadding } from "#app/ui/components/modal.tsx";
import { Tabs } from "#app/ui/components/tabs.tsx";

import { LibraryPanel } from "./library-panel.tsx";
import { UploadPanel } from "./upload-panel.tsx";

type LogoDialogProps = {
  pass: Pick<PassEditorData, "library">;
  chosen: string;
  onChoose: (logo: string) => void;
  library: LibraryControl;
  onClose: () => void;
};

/** The picker of a pass logo. */
export function LogoDialog({ pass, chosen, onChoose, library, onClose }: LogoDialogProps) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const choose = (logo: string) => {
    onChoose(logo);
    dialog.current?.close();
  };
  const store = (key: string) => {
    library.reload();
    choose(`asset:${key}`);
  };
  const remove = (key: string) => {
    if (chosen === `asset:${key}`) onChoose("default");
    library.reload();
  };
  return createPortal(
    // Outside the form, so that Enter doesn't submit it.
    <Modal ref={dialog} className={dialogClass} labelledBy={`${id}-title`} onClose={onClose}>
      <ModalHeader id={`${id}-title`} title="Pass Logo" onClose={() => dialog.current?.close()} />
      <Tabs
        label="Pass Logo"
        tabs={[
          { id: "upload", label: "Upload New", content: <UploadPanel kind="logo" onStored={store} /> },
          {
            id: "library",
            label: "My Library",
            content: (
              <LibraryPanel
                kind="logo"
                images={pass.library}
                library={library}
                chosen={chosen}
                onChoose={choose}
                onRemoved={remove}
              />
            ),
          },
        ]}
      />
    </Modal>,
    document.body,
  );
}

const dialogClass = `max-h-[94dvh] w-full max-w-140 overflow-y-auto max-sm:mb-0 max-sm:max-w-none max-sm:rounded-b-none ${modalPadding}`;
