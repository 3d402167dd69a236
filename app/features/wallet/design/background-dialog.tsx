import { useId, useRef } from "react";
import { createPortal } from "react-dom";

import { defaultImages } from "#app/features/wallet/assets/default-image-model.ts";
import type { DefaultImage } from "#app/features/wallet/assets/default-image-model.ts";
import { Modal, ModalHeader, modalPadding } from "#app/ui/components/modal.tsx";

import { BackgroundTile } from "./background-image.tsx";

/** The picker of a pass background. Choosing closes it. */
export function BackgroundDialog({ chosen, onChoose, onClose }: BackgroundDialogProps) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const choose = (background: string) => {
    onChoose(background);
    dialog.current?.close();
  };
  return createPortal(
    // Outside the form, so that Enter doesn't submit it.
    <Modal ref={dialog} className={dialogClass} labelledBy={`${id}-title`} onClose={onClose}>
      <ModalHeader id={`${id}-title`} title="Default Images" onClose={() => dialog.current?.close()} />
      <div className="grid gap-6.5">
        {groups.map(({ kind, title }) => (
          <section key={kind} aria-labelledby={`${id}-${kind}`}>
            <h3 id={`${id}-${kind}`} className="mb-2.5 text-sm font-medium text-muted">
              {title}
            </h3>
            <div className={gridClass}>
              {kind === "paper" && (
                <Choice name="Card colors" isChosen={chosen === "card"} onChoose={() => choose("card")} />
              )}
              {defaultImages
                .filter((image) => image.kind === kind)
                .map((image) => (
                  <Choice
                    key={image.id}
                    image={image}
                    name={image.name}
                    isChosen={chosen === `default:${image.id}`}
                    onChoose={() => choose(`default:${image.id}`)}
                  />
                ))}
            </div>
          </section>
        ))}
      </div>
    </Modal>,
    document.body,
  );
}

type BackgroundDialogProps = { chosen: string; onChoose: (background: string) => void; onClose: () => void };

const groups: { kind: DefaultImage["kind"]; title: string }[] = [
  { kind: "paper", title: "Paper" },
  { kind: "ink", title: "Ink" },
  { kind: "gradient", title: "Gradients" },
  { kind: "pattern", title: "Patterns" },
];

function Choice({ image, name, isChosen, onChoose }: ChoiceProps) {
  return (
    <button type="button" aria-pressed={isChosen} title={image?.description} className={choiceClass} onClick={onChoose}>
      <BackgroundTile imageId={image?.id} className="w-full" />
      <span className="leading-tight">{name}</span>
    </button>
  );
}

type ChoiceProps = { image?: DefaultImage; name: string; isChosen: boolean; onChoose: () => void };

const gridClass = "grid grid-cols-3 gap-3 sm:grid-cols-4";
const choiceClass =
  "grid content-start gap-1.5 rounded-control border-2 border-transparent p-1 text-center text-sm text-muted hover:text-text " +
  "aria-pressed:border-text aria-pressed:text-text forced-colors:aria-pressed:border-[Highlight]";
const dialogClass = `max-h-[94dvh] w-full max-w-140 overflow-y-auto max-sm:mb-0 max-sm:max-w-none max-sm:rounded-b-none ${modalPadding}`;
