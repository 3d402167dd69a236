import { useCallback, useId, useState } from "react";

import { StudioButton } from "#app/features/avatar/studio-button.tsx";
import { FileButton } from "#app/features/uploads/file-button.tsx";
import { avatarPicture, pictureTypes } from "#app/features/uploads/pictures.ts";
import { Button } from "#app/ui/button.tsx";
import { FieldError } from "#app/ui/field-frame.tsx";
import { Late } from "#app/ui/late.tsx";
import { Portrait } from "#app/ui/portrait.tsx";

import type { AvatarJob } from "./avatar-work.tsx";
import { showAvatar } from "./pictures.ts";
import type { Pictures } from "./pictures.ts";

/** The picture of the profile, or its initials. It is saved at once, apart from the form that it stands in. */
export function AvatarField({ name, pictures }: { name: string; pictures: Pictures }) {
  const id = useId();
  const { avatarStem } = pictures.stored;
  const [problem, setProblem] = useState<string>();
  const [job, setJob] = useState<AvatarJob>();
  const done = useCallback((problem?: string) => {
    setJob(undefined);
    setProblem(problem);
  }, []);
  return (
    <div role="group" aria-labelledby={`${id}-label`} className="grid gap-3">
      <div className={head}>
        <Portrait name={name} picture={avatarPicture(avatarStem)} width={80} className={circle} />
        <p id={`${id}-label`} className="text-sm font-medium sm:col-span-2 sm:self-end">
          Avatar
        </p>
        <div className="flex flex-wrap gap-2.5 max-sm:order-last max-sm:col-span-full max-sm:*:grow">
          <FileButton
            id={`${id}-file`}
            label="Choose a file"
            accept={pictureTypes}
            describedBy={problem ? `${id}-error` : `${id}-hint`}
            isInvalid={problem !== undefined}
            onChoose={(file) => {
              setProblem(undefined);
              setJob({ kind: "crop", file });
            }}
          />
          <StudioButton name={name} onBusy={pictures.onBusy} onStored={(stored) => showAvatar(pictures, stored)} />
        </div>
        {avatarStem !== null && (
          <Button
            variant="plain"
            size="s"
            className="max-sm:-me-3 sm:justify-self-start noscript:hidden"
            aria-label="Remove avatar"
            onClick={() => setJob({ kind: "remove" })}
          >
            Remove
          </Button>
        )}
      </div>
      <p id={`${id}-hint`} className="text-sm text-muted">
        JPEG, PNG or WebP, less than 5MB. It is saved as soon as you have cropped it.
      </p>
      {problem && <FieldError id={id}>{problem}</FieldError>}
      {job && (
        <Late load={loadWork} waiting={null}>
          {({ AvatarWork }) => <AvatarWork job={job} pictures={pictures} focusId={`${id}-file`} onDone={done} />}
        </Late>
      )}
    </div>
  );
}

const loadWork = () => import("./avatar-work.tsx");

// Narrow: the picture with its name and Remove, then two buttons as wide as there is room. Wide: all buttons in a line beside it.
const head =
  "grid grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-4 gap-y-3 " +
  "sm:grid-cols-[auto_auto_minmax(0,1fr)] sm:gap-x-2.5 sm:gap-y-2";
const circle =
  "heading relative grid size-20 shrink-0 grid-rows-[100%] place-items-center overflow-hidden rounded-full border border-line-strong " +
  "sm:row-span-2 sm:me-2.5 " +
  "bg-higher text-lg whitespace-nowrap [&_img]:absolute [&_img]:inset-0 [&_img]:h-auto [&_img]:w-auto [&_img]:min-w-full " +
  "[&_img]:max-w-full [&_img]:min-h-full [&_img]:max-h-full [&_img]:object-cover";
