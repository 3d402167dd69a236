import { useId, useRef, useState } from "react";
import { createPortal } from "react-dom";

import { defaultImages, defaultImageUrl } from "#app/features/wallet/assets/default-image-model.ts";
import type { DefaultImage } from "#app/features/wallet/assets/default-image-model.ts";
import type { PassEditorData } from "#app/features/wallet/design/design-data.server.ts";
import type { LibraryControl } from "#app/features/wallet/design/form-state.ts";
import { messages } from "#app/features/wallet/design/messages.ts";
import { Modal, ModalHeader, modalPadding } from "#app/ui/components/modal.tsx";

import { Tabs } from "#app/ui/components/tabs.tsx";

import { BackgroundTile } from "./background-image.tsx";
import { LoadNotice } from "./load-notice.tsx";
import { LibraryPanel } from "./library-panel.tsx";
import { UploadPanel } from "./upload-panel.tsx";

/** The picker of a pass background. Choosing closes it. Uploads are part of Premium. */
export function BackgroundDialog({ pass, chosen, onChoose, library, onClose }: BackgroundDialogProps) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const choose = (background: string) => {
    onChoose(background);
    dialog.current?.close();
  };
  const store = (key: string) => {
    library.reload();
    choose(`asset:${key}`);
  };
  const remove = (key: string) => {
    if (chosen === `asset:${key}`) onChoose("card");
    library.reload();
  };
  return createPortal(
    // Outside the form, so that Enter doesn't submit it.
    <Modal ref={dialog} className={dialogClass} labelledBy={`${id}-title`} onClose={onClose}>
      <ModalHeader
        id={`${id}-title`}
        title={pass.source.plan.hasOwnPassImages ? "Pass Background" : "Default Images"}
        onClose={() => dialog.current?.close()}
      />
      {pass.source.plan.hasOwnPassImages ? (
        <Tabs
          label="Pass Background"
          tabs={[
            { id: "default", label: "Default Images", content: <DefaultImages chosen={chosen} onChoose={choose} /> },
            { id: "upload", label: "Upload Custom", content: <UploadPanel kind="background" onStored={store} /> },
            {
              id: "library",
              label: "My Library",
              content: (
                <LibraryPanel
                  kind="background"
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
      ) : (
        <DefaultImages chosen={chosen} onChoose={choose} />
      )}
    </Modal>,
    document.body,
  );
}

function DefaultImages({ chosen, onChoose }: { chosen: string; onChoose: (background: string) => void }) {
  const id = useId();
  const [attempt, setAttempt] = useState(1);
  const [failedAttempt, setFailedAttempt] = useState(0);
  const onError = () => setFailedAttempt(attempt);
  return (
    <div className="grid gap-6.5">
      {failedAttempt === attempt && (
        <LoadNotice title={messages.imagesFailed} onRetry={() => setAttempt(attempt + 1)} />
      )}
      {groups.map(({ kind, title }) => (
        <section key={kind} aria-labelledby={`${id}-${kind}`}>
          <h3 id={`${id}-${kind}`} className="mb-2.5 text-sm font-medium text-muted">
            {title}
          </h3>
          <div className={gridClass}>
            {kind === "paper" && (
              <Choice name="Card colors" isChosen={chosen === "card"} onChoose={() => onChoose("card")} />
            )}
            {defaultImages
              .filter((image) => image.kind === kind)
              .map((image) => (
                <Choice
                  key={`${image.id} ${attempt}`}
                  image={image}
                  onError={onError}
                  name={image.name}
                  isChosen={chosen === `default:${image.id}`}
                  onChoose={() => onChoose(`default:${image.id}`)}
                />
              ))}
          </div>
        </section>
      ))}
    </div>
  );
}

type BackgroundDialogProps = {
  pass: Pick<PassEditorData, "library" | "source">;
  chosen: string;
  onChoose: (background: string) => void;
  library: LibraryControl;
  onClose: () => void;
};

const groups: { kind: DefaultImage["kind"]; title: string }[] = [
  { kind: "paper", title: "Paper" },
  { kind: "ink", title: "Ink" },
  { kind: "gradient", title: "Gradients" },
  { kind: "pattern", title: "Patterns" },
];

function Choice({ image, name, isChosen, onChoose, onError }: ChoiceProps) {
  return (
    <button type="button" aria-pressed={isChosen} title={image?.description} className={choiceClass} onClick={onChoose}>
      <BackgroundTile url={image && defaultImageUrl(image.id, "small")} className="w-full" onError={onError} />
      <span className="leading-tight">{name}</span>
    </button>
  );
}

type ChoiceProps = {
  image?: DefaultImage;
  name: string;
  isChosen: boolean;
  onChoose: () => void;
  onError?: () => void;
};

const gridClass = "grid grid-cols-3 gap-3 sm:grid-cols-4";
const choiceClass =
  "grid content-start gap-1.5 rounded-control border-2 border-transparent p-1 text-center text-sm text-muted hover:text-text " +
  "aria-pressed:border-text aria-pressed:text-text forced-colors:aria-pressed:border-[Highlight]";
const dialogClass = `max-h-[94dvh] w-full max-w-140 overflow-y-auto max-sm:mb-0 max-sm:max-w-none max-sm:rounded-b-none ${modalPadding}`;
