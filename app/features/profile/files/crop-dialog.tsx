import { useId, useRef, useState } from "react";
import { createPortal, flushSync } from "react-dom";
import { ReactCrop } from "react-image-crop";
import cropStyles from "react-image-crop/dist/ReactCrop.css?url";

import { useUpload } from "#app/features/uploads/upload-client.ts";
import { UploadProblem, UploadProgress } from "#app/features/uploads/upload-status.tsx";
import { slotMessages } from "#app/features/uploads/messages.ts";
import { Button } from "#app/ui/components/button.tsx";
import { Modal, ModalFooter, ModalHeader, modalPadding } from "#app/ui/components/modal.tsx";

import { minSize, resizeSquare, toFractions, squareSize, initialSquare } from "./crop-square.ts";
import type { ImageSize, CropSquare } from "./crop-square.ts";

/** Crops the avatar. The whole image is uploaded, and the server crops the original. */
export function CropDialog({ chosen, onStored, onBusy, onClose }: CropDialogProps) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const [square, setSquare] = useState(() => initialSquare(chosen));
  const [isStyled, setStyled] = useState(false);
  const showCropArea = () => {
    flushSync(() => setStyled(true));
    // The arrow keys then move the square.
    dialog.current?.querySelector<HTMLElement>(".ReactCrop [tabindex]")?.focus();
  };
  const upload = useUpload({
    onBusy,
    onStored: ({ keyPrefix, message }) => {
      onStored({ keyPrefix, message });
      dialog.current?.close();
    },
  });
  const isSending = upload.state.kind === "sending";
  const hasArrived = upload.state.kind === "sending" && upload.state.share === 1;

  const save = () => {
    const query = new URLSearchParams({ name: chosen.file.name, ...toFractions(square) });
    upload.send(`/uploads/avatar?${query.toString()}`, chosen.file);
  };
  // During an upload, Esc cancels the upload and leaves the dialog open.
  const cancel = (event: React.SyntheticEvent) => {
    if (!isSending) return;
    event.preventDefault();
    upload.cancel();
  };
  const controls = { image: chosen, square, isDisabled: isSending, onChange: setSquare };
  return createPortal(
    // Outside the profile's form, so that Enter doesn't submit it.
    <Modal
      ref={dialog}
      className={dialogClass}
      labelledBy={`${id}-title`}
      describedBy={`${id}-help`}
      onCancel={cancel}
      onClose={onClose}
    >
      {/* A CSS import would add an inline style element, which the content security policy blocks. */}
      <link rel="stylesheet" href={cropStyles} onLoad={showCropArea} onError={showCropArea} />
      <ModalHeader id={`${id}-title`} title="Crop your avatar" />
      <p id={`${id}-help`} className="mb-4 text-sm text-muted">
        Drag the circle or its corners.
        {/* Not where there's no keyboard; screen readers read it with the crop area. */}
        <span className="hidden pointer-fine:inline">
          {" "}
          You can also use the arrow keys; hold Shift to move it faster.
        </span>
      </p>
      <div className={isStyled ? "" : "invisible"}>
        <CropArea {...controls} />
        <SizeSlider {...controls} id={`${id}-size`} />
      </div>
      {upload.state.kind === "refused" && (
        <UploadProblem title={slotMessages("avatar").storeFailed} {...upload.state} />
      )}
      {upload.state.kind === "sending" && <UploadProgress share={upload.state.share} />}
      {/* The buttons keep their places, so that the second click of a double click can't cancel the upload. */}
      <ModalFooter>
        <Button size="s" disabled={hasArrived} onClick={() => (isSending ? upload.cancel() : dialog.current?.close())}>
          {isSending ? "Cancel upload" : "Cancel"}
        </Button>
        <Button size="s" variant="main" aria-disabled={isSending} onClick={save}>
          Crop and Save
        </Button>
      </ModalFooter>
    </Modal>,
    document.body,
  );
}

export type ChosenImage = ImageSize & {
  file: File;
  /** An object URL: "blob:…". */
  url: string;
};

type CropDialogProps = {
  chosen: ChosenImage;
  onStored: (stored: { keyPrefix: string | null; message: string }) => void;
  onBusy: (by: 1 | -1) => void;
  onClose: () => void;
};

type CropControlProps = {
  image: ChosenImage;
  square: CropSquare;
  isDisabled: boolean;
  onChange: (square: CropSquare) => void;
};

function CropArea({ image, square, isDisabled, onChange }: CropControlProps) {
  return (
    <div className="grid justify-items-center rounded-control bg-black p-3.5">
      <ReactCrop
        className={`max-h-[min(24rem,46dvh,100dvh-20.5rem)] ${handleClass}`}
        crop={square}
        aspect={1}
        circularCrop
        keepSelection
        minWidth={24}
        disabled={isDisabled}
        ariaLabels={cropLabels}
        onChange={(_, percent) => onChange(percent)}
      >
        <img src={image.url} width={image.width} height={image.height} alt="" className="h-auto w-auto" />
      </ReactCrop>
    </div>
  );
}

/** Easier to use than a corner on a small screen and without a mouse. */
function SizeSlider({ id, image, square, isDisabled, onChange }: CropControlProps & { id: string }) {
  const size = Math.round(squareSize(square, image));
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
        onChange={(event) => onChange(resizeSquare(square, Number(event.currentTarget.value), image))}
        className="h-11 min-w-0 flex-1 accent-main"
      />
    </div>
  );
}

const cornerHelp = "use the arrow keys to resize";
const cropLabels = {
  cropArea: "Crop area. Use the arrow keys to move it; hold Shift to move it faster.",
  nwDragHandle: `Top left corner: ${cornerHelp}`,
  nDragHandle: `Top edge: ${cornerHelp}`,
  neDragHandle: `Top right corner: ${cornerHelp}`,
  eDragHandle: `Right edge: ${cornerHelp}`,
  seDragHandle: `Bottom right corner: ${cornerHelp}`,
  sDragHandle: `Bottom edge: ${cornerHelp}`,
  swDragHandle: `Bottom left corner: ${cornerHelp}`,
  wDragHandle: `Left edge: ${cornerHelp}`,
};

// Round, and with a larger target for fingers.
const handleClass =
  "motion-reduce:**:animate-none! [&_[role=button]]:rounded-full [&_[role=button]]:border-black! [&_[role=button]]:after:absolute [&_[role=button]]:after:-inset-3 " +
  "[&_[role=button]]:after:content-[''] [&_[role=button]]:focus-visible:outline-3";

const dialogClass =
  "max-h-[96dvh] w-[calc(100%-20px)] max-w-110 overflow-y-auto [--rc-drag-handle-bg-colour:#fff] [--rc-drag-handle-mobile-size:20px] " +
  `[--rc-drag-handle-size:14px] [--rc-focus-color:#fff] ${modalPadding}`;
