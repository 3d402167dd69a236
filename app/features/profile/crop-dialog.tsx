import { useEffect, useId, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { ReactCrop } from "react-image-crop";
import cropStyles from "react-image-crop/dist/ReactCrop.css?url";

import { saidOf } from "#app/features/uploads/messages.ts";
import { UploadProblem } from "#app/features/uploads/upload-problem.tsx";
import { UploadProgress } from "#app/features/uploads/upload-progress.tsx";
import { useUpload } from "#app/features/uploads/upload-state.ts";
import { Button } from "#app/ui/button.tsx";

import { minSize, resized, sharesOf, sizeOf, startSquare } from "./crop.ts";
import type { PictureSize, Square } from "./crop.ts";

/** Which part of a picture becomes the avatar. The picture itself is sent whole: the server cuts it, from the best there is. */
export function CropDialog({ chosen, onStored, onBusy, onClose }: CropDialogProps) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const [square, setSquare] = useState(() => startSquare(chosen));
  const [isStyled, setStyled] = useState(false);
  // What is cropped gets the focus, as soon as it is seen: the arrow keys are for it.
  useEffect(() => {
    if (isStyled) dialog.current?.querySelector<HTMLElement>(".ReactCrop [tabindex]")?.focus();
  }, [isStyled]);
  const upload = useUpload({
    onBusy,
    onStored: ({ stem, message }) => {
      onStored({ stem, message });
      dialog.current?.close();
    },
  });
  const isSending = upload.state.kind === "sending";
  const hasArrived = upload.state.kind === "sending" && upload.state.share === 1;

  // Only the browser can open a dialog as a modal one: there is no attribute for it.
  useEffect(() => dialog.current?.showModal(), []);

  const save = () => {
    const query = new URLSearchParams({ name: chosen.file.name, ...sharesOf(square) });
    upload.send(`/uploads/avatar?${query.toString()}`, chosen.file);
  };
  // Esc while it is on its way stops that first: what was cropped stays.
  const cancel = (event: React.SyntheticEvent) => {
    if (!isSending) return;
    event.preventDefault();
    upload.cancel();
  };
  const cropping = { picture: chosen, square, isDisabled: isSending, onChange: setSquare };
  return createPortal(
    // Beside the page: a key pressed in here must not send the profile's form.
    <dialog
      ref={dialog}
      className={look}
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-help`}
      onCancel={cancel}
      onClose={onClose}
    >
      {/* Not imported for its effect: it would come as a style of its own, which the page's policy refuses. */}
      <link rel="stylesheet" href={cropStyles} onLoad={() => setStyled(true)} onError={() => setStyled(true)} />
      <h2 id={`${id}-title`} className="heading text-lg">
        Crop your avatar
      </h2>
      <p id={`${id}-help`} className="mt-1 mb-4 text-sm text-muted">
        Drag the circle or its corners. With the keyboard: arrow keys move it, with Shift further.
      </p>
      <div className={isStyled ? "" : "invisible"}>
        <CropArea {...cropping} />
        <SizeSlider {...cropping} id={`${id}-size`} />
      </div>
      {upload.state.kind === "refused" && <UploadProblem title={saidOf("avatar").storeFailed} {...upload.state} />}
      {upload.state.kind === "sending" && <UploadProgress share={upload.state.share} />}
      {/* The buttons stay where they are: the second click of two must not stop what the first began. */}
      <div className="mt-5 flex flex-wrap justify-end gap-2.5 max-sm:*:grow">
        <Button disabled={hasArrived} onClick={() => (isSending ? upload.cancel() : dialog.current?.close())}>
          {isSending ? "Cancel upload" : "Cancel"}
        </Button>
        <Button variant="main" aria-disabled={isSending} onClick={save}>
          Crop and Save
        </Button>
      </div>
    </dialog>,
    document.body,
  );
}

export type ChosenPicture = PictureSize & {
  file: File;
  /** Where this browser has it: "blob:…". */
  url: string;
};

type CropDialogProps = {
  chosen: ChosenPicture;
  onStored: (stored: { stem: string | null; message: string }) => void;
  onBusy: (by: 1 | -1) => void;
  onClose: () => void;
};

type SquareProps = {
  picture: ChosenPicture;
  square: Square;
  isDisabled: boolean;
  onChange: (square: Square) => void;
};

function CropArea({ picture, square, isDisabled, onChange }: SquareProps) {
  return (
    <div className="grid justify-items-center rounded-control bg-black p-3.5">
      <ReactCrop
        className={`max-h-[min(24rem,46dvh)] ${handles}`}
        crop={square}
        aspect={1}
        circularCrop
        keepSelection
        minWidth={24}
        disabled={isDisabled}
        ariaLabels={labels}
        onChange={(_, percent) => onChange(percent)}
      >
        <img src={picture.url} width={picture.width} height={picture.height} alt="" className="h-auto w-auto" />
      </ReactCrop>
    </div>
  );
}

/** The size by one movement: on a small screen and without a mouse easier than a corner. */
function SizeSlider({ id, picture, square, isDisabled, onChange }: SquareProps & { id: string }) {
  const size = Math.round(sizeOf(square, picture));
  return (
    <div className="mt-2 flex min-h-11 items-center gap-4 text-sm">
      <label htmlFor={id} className="font-medium">
        Size
      </label>
      <input
        id={id}
        type="range"
        min={minSize}
        max={100}
        value={size}
        aria-valuetext={`${size}%`}
        disabled={isDisabled}
        onChange={(event) => onChange(resized(square, Number(event.currentTarget.value), picture))}
        className="h-11 min-w-0 flex-1 accent-main"
      />
    </div>
  );
}

const corner = "arrow keys change the size";
const labels = {
  cropArea: "The part that is kept. Arrow keys move it, with Shift further.",
  nwDragHandle: `Upper left corner: ${corner}`,
  nDragHandle: `Upper edge: ${corner}`,
  neDragHandle: `Upper right corner: ${corner}`,
  eDragHandle: `Right edge: ${corner}`,
  seDragHandle: `Lower right corner: ${corner}`,
  sDragHandle: `Lower edge: ${corner}`,
  swDragHandle: `Lower left corner: ${corner}`,
  wDragHandle: `Left edge: ${corner}`,
};

// Round, and to a finger larger than to the eye.
const handles =
  "[&_[role=button]]:rounded-full [&_[role=button]]:border-black! [&_[role=button]]:after:absolute [&_[role=button]]:after:-inset-3 " +
  "[&_[role=button]]:after:content-[''] [&_[role=button]]:focus-visible:outline-3";

const look =
  "ui-confirm m-auto max-h-[96dvh] w-[calc(100%-20px)] max-w-110 overflow-y-auto overscroll-contain rounded-card border border-line-strong " +
  "bg-raised p-5 text-text shadow-card [--rc-drag-handle-bg-colour:#fff] [--rc-drag-handle-mobile-size:20px] " +
  "[--rc-drag-handle-size:14px] [--rc-focus-color:#fff] sm:p-6.5";
