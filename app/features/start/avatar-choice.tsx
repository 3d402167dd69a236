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

import { drawnAvatarUrl, randomSeeds } from "./avatar-drawing.ts";

type AvatarChoiceProps = {
  name: string;
  /** The stored photo or drawn avatar; null for none. */
  avatarKey: string | null;
  /** Of the avatars to choose from. */
  seeds: readonly string[];
  /** Of the chosen avatar; "" for the stored avatar or the initials. */
  seed: string;
  error: string | undefined;
  onSeeds: (seeds: string[]) => void;
  onSeed: (seed: string) => void;
  /** A photo was uploaded. It is saved. */
  onStored: (keyPrefix: string | null) => void;
};

/** The avatar: a photo, which is saved at once; a drawn avatar, which is saved with the form; or the initials. */
export function AvatarChoice({ name, avatarKey, seeds, seed, error, onSeeds, onSeed, onStored }: AvatarChoiceProps) {
  const id = useId();
  const { problem, chosen, choose, close } = useChosenPhoto();
  const shownError = problem ?? error;
  const drawOthers = (event: React.MouseEvent) => {
    event.preventDefault();
    onSeeds(randomSeeds());
    onSeed("");
  };
  return (
    <fieldset aria-describedby={shownError && `${id}-error`} className="grid min-w-0 gap-3">
      <legend className="mb-2 text-sm font-medium">Avatar</legend>
      <input type="hidden" name="seeds" value={seeds.join()} />
      <div className="relative flex flex-wrap gap-2 sm:gap-3">
        <AvatarOption value="" label={avatarKey ? "Your avatar" : "Your initials"} {...{ seed, onSeed }}>
          {avatarKey === null && name.trim() === "" ? (
            <Icon name="user-plus" />
          ) : (
            <Portrait name={name} image={avatarUrls(avatarKey)} width={64} className={portraitClass} />
          )}
        </AvatarOption>
        {seeds.map((offered, index) => (
          <AvatarOption key={offered} value={offered} label={`Generated avatar ${index + 1}`} {...{ seed, onSeed }}>
            <img src={drawnAvatarUrl(offered)} width={64} height={64} alt="" className="size-full object-cover" />
          </AvatarOption>
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

function AvatarOption({ value, label, seed, onSeed, children }: AvatarOptionProps) {
  return (
    <label className={choiceClass}>
      <input
        type="radio"
        name="seed"
        value={value}
        checked={seed === value}
        onChange={() => onSeed(value)}
        className="sr-only outline-none!"
      />
      {children}
      <span className="sr-only">{label}</span>
    </label>
  );
}

type AvatarOptionProps = {
  value: string;
  label: string;
  seed: string;
  onSeed: (seed: string) => void;
  children: React.ReactNode;
};

const choiceClass =
  "relative grid size-12 cursor-pointer place-items-center overflow-hidden rounded-full border border-line-strong bg-paper text-ink sm:size-16 " +
  "has-checked:outline-2 has-checked:outline-offset-2 has-checked:outline-text has-focus-visible:outline-4";
const portraitClass =
  "heading relative grid size-full grid-rows-[100%] place-items-center whitespace-nowrap [&_img]:absolute [&_img]:inset-0 [&_img]:size-full " +
  "[&_img]:object-cover";
