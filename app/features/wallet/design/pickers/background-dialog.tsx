import { useId, useState } from "react";

import { defaultImages, defaultImageUrl } from "#app/features/wallet/assets/default-image-model.ts";
import type { DefaultImage } from "#app/features/wallet/assets/default-image-model.ts";
import { messages } from "#app/features/wallet/design/messages.ts";
import { Tabs } from "#app/ui/components/tabs.tsx";

import { BackgroundTile } from "./background-image.tsx";
import { ImageModal, useImagePanels } from "./image-dialog.tsx";
import type { ImageDialogProps } from "./image-dialog.tsx";
import { LoadNotice } from "./library-panel.tsx";

/** The picker of a pass background. Uploads are part of Premium. */
export function BackgroundDialog(props: ImageDialogProps) {
  const { chosen, pass, onClose } = props;
  const { dialog, choose, upload, library } = useImagePanels(props, { kind: "background", none: "card" });
  const defaults = <DefaultImages chosen={chosen} onChoose={choose} />;
  const { hasOwnPassImages } = pass.source.plan;
  return (
    <ImageModal dialog={dialog} title={hasOwnPassImages ? "Pass Background" : "Default Images"} onClose={onClose}>
      {hasOwnPassImages ? (
        <Tabs
          label="Pass Background"
          tabs={[
            { id: "default", label: "Default Images", content: defaults },
            { id: "upload", label: "Upload Custom", content: upload },
            { id: "library", label: "My Library", content: library },
          ]}
        />
      ) : (
        defaults
      )}
    </ImageModal>
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
