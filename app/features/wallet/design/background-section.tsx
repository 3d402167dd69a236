import { useId, useState } from "react";

import { passImageUrl } from "#app/features/uploads/image-urls.ts";
import { defaultImages, defaultImageUrl, findDefaultImage } from "#app/features/wallet/assets/default-image-model.ts";
import type { LibraryImage } from "#app/features/wallet/assets/library-data.server.ts";
import { Button } from "#app/ui/components/button.tsx";
import { Panel } from "#app/ui/components/panel.tsx";
import { FieldError } from "#app/ui/forms/field.tsx";
import { parseJsonObject } from "#app/ui/forms/submit-in-place.ts";

import type { PassEditorData } from "./design-data.server.ts";
import type { LibraryControl, PassFormState } from "./form-state.ts";
import { messages } from "./messages.ts";
import { BackgroundDialog } from "./pickers/background-dialog.tsx";
import { BackgroundTile } from "./pickers/background-image.tsx";
import { ImageField } from "./pickers/image-field.tsx";

type BackgroundSectionProps = {
  pass: PassEditorData;
  editing: PassFormState;
  library: LibraryControl;
  onPreviewTint: (tint: string | undefined) => void;
};

/** The image behind the front of the pass, and its tint. */
export function BackgroundSection(props: BackgroundSectionProps) {
  const { pass, editing } = props;
  const [isChoosing, setIsChoosing] = useState(false);
  const { background } = editing.values;
  const image = describeBackground(background, pass.library);
  const { hasOwnPassImages } = pass.source.plan;
  return (
    <Panel title="Pass Background">
      <div className="flex flex-wrap items-center gap-4 noscript:hidden">
        <BackgroundTile url={image?.small} className="w-18" />
        <div className="grid min-w-0 flex-1 basis-40 gap-0.5">
          <p className="font-medium">{image?.name ?? "Card colors"}</p>
          <p className="text-sm text-muted">{image?.description ?? "The colors of your card, as it is designed now"}</p>
        </div>
        <Button size="s" className="max-sm:w-full" onClick={() => setIsChoosing(true)}>
          Change Background
        </Button>
      </div>
      <ImageField
        name="background"
        legend="Default Images"
        choices={listChoices(pass)}
        chosen={background}
        onChoose={(chosen) => editing.change({ background: chosen })}
      />
      {hasOwnPassImages ? <TintField {...props} /> : <LockedTint pass={pass} editing={editing} />}
      {isChoosing && (
        <BackgroundDialog
          pass={pass}
          library={props.library}
          chosen={background}
          onChoose={(chosen) => editing.change({ background: chosen })}
          onClose={() => setIsChoosing(false)}
        />
      )}
    </Panel>
  );
}

/** The name and the URLs of a background; undefined for the card's colors. */
function describeBackground(background: string, library: readonly LibraryImage[]) {
  const image = findDefaultImage(background.replace(/^default:/, ""));
  if (image)
    return {
      name: image.name,
      description: image.description,
      small: defaultImageUrl(image.id, "small"),
      raw: defaultImageUrl(image.id, "raw"),
    };
  if (!background.startsWith("asset:")) return undefined;
  const key = background.slice("asset:".length);
  const url = passImageUrl("background", key);
  const name = library.find(({ keyPrefix }) => keyPrefix === key)?.filename || "Your image";
  return { name, description: "From your library", small: url, raw: url };
}

/** The choices of the dialog. Uploads are part of Premium. */
function listChoices({ library, source }: PassEditorData) {
  const own = source.plan.hasOwnPassImages ? library.filter(({ kind }) => kind === "background") : [];
  const values = [
    "card",
    ...defaultImages.map(({ id }) => `default:${id}`),
    ...own.map(({ keyPrefix }) => `asset:${keyPrefix}`),
  ];
  return values.map((value) => {
    const image = describeBackground(value, library);
    return {
      value,
      label: image?.name ?? "Card colors",
      image: <BackgroundTile url={image?.small} className="w-full" />,
    };
  });
}

/** The tint is shown in the preview while it is picked, and part of the design once it is applied. */
function TintField({ pass, editing, onPreviewTint }: BackgroundSectionProps) {
  const id = useId();
  const { background, tint } = editing.values;
  const [picked, setPicked] = useState<string>();
  const [isApplying, setIsApplying] = useState(false);
  const [problem, setProblem] = useState<{ text: string; of: string }>();
  const color = picked ?? (tint || defaultTint);
  const end = (changed: { tint?: string }) => {
    setPicked(undefined);
    onPreviewTint(undefined);
    editing.change(changed);
  };
  const apply = async () => {
    if (isApplying) return;
    const image = describeBackground(background, pass.library);
    if (!image) return setProblem({ text: messages.noOriginal, of: background });
    setIsApplying(true);
    const refusal = await requestTint({
      imageUrl: new URL(image.raw, location.origin).href,
      tintColor: color,
      cardId: pass.cardId,
    });
    setIsApplying(false);
    setProblem(refusal === undefined ? undefined : { text: refusal, of: background });
    if (refusal === undefined) end({ tint: color });
  };
  return (
    <div className="mt-5 border-t border-line pt-5">
      <p className="mb-3 text-sm font-medium" id={`${id}-label`}>
        Color Tint
      </p>
      <div className="flex flex-wrap items-center gap-3">
        <TintInputs labelId={`${id}-label`} color={color} editing={editing} />
        <input
          type="color"
          aria-labelledby={`${id}-label`}
          value={color}
          autoComplete="off"
          className={`${colorClass} noscript:hidden`}
          onChange={({ currentTarget }) => {
            setPicked(currentTarget.value);
            onPreviewTint(currentTarget.value);
          }}
        />
        <Button
          size="s"
          className="noscript:hidden"
          aria-disabled={isApplying}
          aria-describedby={problem?.of === background ? `${id}-tint-error` : undefined}
          onClick={() => void apply()}
        >
          {isApplying ? "Applying..." : "Apply Tint"}
        </Button>
        {(tint !== "" || picked !== undefined) && (
          <Button size="s" variant="plain" className="noscript:hidden" onClick={() => end({ tint: "" })}>
            Revert
          </Button>
        )}
      </div>
      {/* About another background it is out of date. */}
      {problem?.of === background && (
        <div className="mt-2">
          <FieldError id={`${id}-tint`}>{problem.text}</FieldError>
        </div>
      )}
      <p className="mt-2 text-sm text-muted" role="status">
        {picked !== undefined && picked !== tint ? "The preview shows this tint. Apply it to keep it." : ""}
      </p>
    </div>
  );
}

/** What the form sends; without script it is how a tint is chosen. */
function TintInputs({ labelId, color, editing }: TintInputsProps) {
  const { tint } = editing.values;
  return (
    <label className="hidden items-center gap-2 noscript:flex">
      <input
        type="checkbox"
        name="has_tint"
        checked={tint !== ""}
        autoComplete="off"
        onChange={({ currentTarget }) => editing.change({ tint: currentTarget.checked ? color : "" })}
        className="size-5 accent-text"
      />
      Use this tint
      <input
        type="color"
        name="tint"
        aria-labelledby={labelId}
        value={tint || defaultTint}
        autoComplete="off"
        className={colorClass}
        onChange={({ currentTarget }) => editing.change({ tint: currentTarget.value })}
      />
    </label>
  );
}

type TintInputsProps = { labelId: string; color: string; editing: PassFormState };

const colorClass = "size-11 shrink-0 cursor-pointer rounded-control border border-line-strong bg-ground p-1";
const defaultTint = "#3a5f8c";

/** What Premium adds. Not shown where Premium can't be bought. */
function LockedTint({ pass, editing }: Pick<BackgroundSectionProps, "pass" | "editing">) {
  const { tint } = editing.values;
  // A tint of a plan that ended stays stored.
  const kept = tint !== "" && (
    <>
      <input type="hidden" name="has_tint" value="on" autoComplete="off" />
      <input type="hidden" name="tint" value={tint} autoComplete="off" />
    </>
  );
  if (!pass.isPremiumSold) return kept;
  return (
    <p className="mt-5 border-t border-line pt-4 text-sm text-muted">
      {kept}
      {messages.premium}{" "}
      <a className="inline-flex min-h-6 items-center text-text underline underline-offset-4" href="/pricing">
        See plans
      </a>
    </p>
  );
}

/** Asks the server to tint an image. Returns why it couldn't, or undefined. The server knows the owner from the session. */
async function requestTint(input: { imageUrl: string; tintColor: string; cardId: string }) {
  try {
    const response = await fetch("/functions/v1/tint-image", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(input),
    });
    if (response.ok) return undefined;
    const { error } = { error: undefined, ...parseJsonObject(await response.text()) };
    return typeof error === "string" ? error : messages.tintFailed;
  } catch {
    return messages.tintFailed;
  }
}
