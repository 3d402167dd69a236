import { useId, useState } from "react";

import { openImage } from "#app/features/profile/files/avatar-field.tsx";
import type { ChosenImage } from "#app/features/profile/files/crop-dialog.tsx";
import { FileButton } from "#app/features/uploads/file-button.tsx";
import { imageTypes, validateImageFile } from "#app/features/uploads/validate-file.ts";
import { avatarUrls } from "#app/features/uploads/image-urls.ts";
import { Button } from "#app/ui/components/button.tsx";
import { Icon } from "#app/ui/components/icon.tsx";
import { LazyPart } from "#app/ui/components/loading.tsx";
import { Portrait } from "#app/ui/components/portrait.tsx";
import { FieldError } from "#app/ui/forms/field.tsx";

import { faceUrl, randomFaces } from "./face-drawing.ts";

type FaceFieldProps = {
  name: string;
  /** The stored photo or drawn face; null for none. */
  avatarKey: string | null;
  faces: readonly string[];
  /** The seed of the chosen face; "" for the stored avatar or the initials. */
  face: string;
  error: string | undefined;
  onFaces: (faces: string[]) => void;
  onFace: (face: string) => void;
  /** A photo was uploaded. It is saved. */
  onStored: (keyPrefix: string | null) => void;
};

/** The avatar: a photo, which is saved at once; a drawn face, which is saved with the form; or the initials. */
export function FaceField({ name, avatarKey, faces, face, error, onFaces, onFace, onStored }: FaceFieldProps) {
  const id = useId();
  const { problem, chosen, choose, close } = useChosenPhoto();
  const shownError = problem ?? error;
  const drawOthers = (event: React.MouseEvent) => {
    event.preventDefault();
    onFaces(randomFaces());
    onFace("");
  };
  return (
    <fieldset aria-describedby={shownError && `${id}-error`} className="grid min-w-0 gap-3">
      <legend className="mb-2 text-sm font-medium">Avatar</legend>
      <input type="hidden" name="faces" value={faces.join()} />
      <div className="relative flex flex-wrap gap-2 sm:gap-3">
        <FaceChoice value="" label={avatarKey ? "Your avatar" : "Your initials"} {...{ face, onFace }}>
          {avatarKey === null && name.trim() === "" ? (
            <Icon name="user-plus" />
          ) : (
            <Portrait name={name} image={avatarUrls(avatarKey)} width={64} className={portraitClass} />
          )}
        </FaceChoice>
        {faces.map((seed, index) => (
          <FaceChoice key={seed} value={seed} label={`Generated avatar ${index + 1}`} {...{ face, onFace }}>
            <img src={faceUrl(seed)} width={64} height={64} alt="" className="size-full object-cover" />
          </FaceChoice>
        ))}
        {/* On the line of the legend. */}
        <Button
          variant="plain"
          type="submit"
          size="s"
          name="intent"
          value="randomize"
          className="absolute end-0 bottom-full -me-3 -mb-1"
          onClick={drawOthers}
        >
          <Icon name="shuffle" size={16} />
          Randomize
        </Button>
      </div>
      <div className="flex flex-wrap gap-2.5 max-sm:*:grow">
        <FileButton label="Upload a photo" accept={imageTypes} onChoose={(file) => void choose(file)} />
        <FileButton
          label="Take a photo"
          accept={imageTypes}
          capture="user"
          className="not-pointer-coarse:hidden"
          onChoose={(file) => void choose(file)}
        />
      </div>
      {shownError && <FieldError id={id}>{shownError}</FieldError>}
      {chosen && (
        <LazyPart load={loadCropDialog} fallback={null}>
          {({ CropDialog }) => (
            <CropDialog
              chosen={chosen}
              onBusy={() => undefined}
              onStored={({ keyPrefix }) => onStored(keyPrefix)}
              onClose={() => close(chosen)}
            />
          )}
        </LazyPart>
      )}
    </fieldset>
  );
}

/** The photo that is being cropped, or why a file can't be one. */
function useChosenPhoto() {
  const [problem, setProblem] = useState<string>();
  const [chosen, setChosen] = useState<ChosenImage>();
  const choose = async (file: File) => {
    const image = validateImageFile(file) ?? (await openImage(file));
    setProblem(typeof image === "string" ? image : undefined);
    setChosen(typeof image === "string" ? undefined : image);
  };
  const close = ({ url }: ChosenImage) => {
    URL.revokeObjectURL(url);
    setChosen(undefined);
  };
  return { problem, chosen, choose, close };
}

// The cropping library is large.
const loadCropDialog = () => import("#app/features/profile/files/crop-dialog.tsx");

function FaceChoice({ value, label, face, onFace, children }: FaceChoiceProps) {
  return (
    <label className={choiceClass}>
      <input
        type="radio"
        name="face"
        value={value}
        checked={face === value}
        onChange={() => onFace(value)}
        className="sr-only outline-none!"
      />
      {children}
      <span className="sr-only">{label}</span>
    </label>
  );
}

type FaceChoiceProps = {
  value: string;
  label: string;
  face: string;
  onFace: (face: string) => void;
  children: React.ReactNode;
};

const choiceClass =
  "relative grid size-12 cursor-pointer place-items-center overflow-hidden rounded-full border border-line-strong bg-paper text-ink sm:size-16 " +
  "has-checked:outline-2 has-checked:outline-offset-2 has-checked:outline-text has-focus-visible:outline-4";
const portraitClass =
  "heading relative grid size-full grid-rows-[100%] place-items-center whitespace-nowrap [&_img]:absolute [&_img]:inset-0 [&_img]:size-full " +
  "[&_img]:object-cover";
