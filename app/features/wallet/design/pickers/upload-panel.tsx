import { useId, useState } from "react";
import { centerCrop, makeAspectCrop, ReactCrop } from "react-image-crop";
import type { PercentCrop } from "react-image-crop";
import cropStyles from "react-image-crop/dist/ReactCrop.css?url";

import { FileButton } from "#app/features/uploads/file-button.tsx";
import { useUpload } from "#app/features/uploads/upload-client.ts";
import { UploadProblem, UploadProgress } from "#app/features/uploads/upload-status.tsx";
import { imageTypes, validateImageFile, validateImageSize } from "#app/features/uploads/validate-file.ts";
import { messages as uploadMessages } from "#app/features/uploads/messages.ts";
import { Button } from "#app/ui/components/button.tsx";
import { FieldError } from "#app/ui/forms/field.tsx";

import { messages } from "#app/features/wallet/design/messages.ts";

type ChosenImage = { file: File; url: string; width: number; height: number };
type UploadPanelProps = {
  kind: "background" | "logo";
  /** Called with the storage key prefix. */
  onStored: (key: string) => void;
};

/** Width and height of the part that is cut out. */
const proportions = { background: [180, 220], logo: [160, 50] } as const;

/** Chooses, crops and uploads an image of a pass. The server cuts the part out of the original. */
export function UploadPanel({ kind, onStored }: UploadPanelProps) {
  const id = useId();
  const [error, setError] = useState<string>();
  const [chosen, setChosen] = useState<ChosenImage>();
  const choose = async (file: File) => {
    const image = validateImageFile(file) ?? (await openImage(file));
    setError(typeof image === "string" ? image : undefined);
    setChosen(typeof image === "string" ? undefined : image);
  };
  if (chosen)
    return <CropPanel key={chosen.url} {...{ kind, chosen, onStored }} onCancel={() => setChosen(undefined)} />;
  return (
    <div className="grid justify-items-center gap-3 rounded-control border border-dashed border-line-strong px-5 py-10 text-center">
      <FileButton
        id={`${id}-file`}
        label="Choose a file"
        accept={imageTypes}
        describedBy={error ? `${id}-file-error` : `${id}-hint`}
        isInvalid={error !== undefined}
        onChoose={(file) => void choose(file)}
      />
      <p id={`${id}-hint`} className="text-sm text-muted">
        {kind === "logo" ? messages.logoHint : "JPEG, PNG or WebP, under 5MB. The pass shows 540x660 pixels of it."}
      </p>
      {error && <FieldError id={`${id}-file`}>{error}</FieldError>}
    </div>
  );
}

function CropPanel({
  kind,
  chosen,
  onStored,
  onCancel,
}: UploadPanelProps & { chosen: ChosenImage; onCancel: () => void }) {
  const [width, height] = proportions[kind];
  const aspect = width / height;
  const [crop, setCrop] = useState<PercentCrop>(() =>
    centerCrop(
      makeAspectCrop({ unit: "%", width: 90 }, aspect, chosen.width, chosen.height),
      chosen.width,
      chosen.height,
    ),
  );
  const [isStyled, setStyled] = useState(false);
  const upload = useUpload({
    onBusy: () => undefined,
    onStored: ({ keyPrefix }) => keyPrefix !== null && onStored(keyPrefix),
  });
  const isSending = upload.state.kind === "sending";
  const save = () => {
    // Rounded down, so that no part is outside the image.
    const fraction = (percent: number) => String(Math.floor(Math.max(0, percent) * 10_000) / 1_000_000);
    const query = new URLSearchParams({
      name: chosen.file.name,
      x: fraction(crop.x),
      y: fraction(crop.y),
      size: fraction(crop.width),
    });
    const id = `${Date.now().toString(36)}${Math.random().toString(36).slice(2)}`;
    upload.send(`/uploads/pass-${kind}:${id}?${query.toString()}`, chosen.file);
  };
  return (
    <div className="grid gap-3">
      {/* A CSS import would add an inline style element, which the content security policy blocks. */}
      <link rel="stylesheet" href={cropStyles} onLoad={() => setStyled(true)} onError={() => setStyled(true)} />
      <div className={`grid justify-items-center rounded-control bg-black p-3.5 ${isStyled ? "" : "invisible"}`}>
        <ReactCrop
          className="motion-reduce:**:animate-none! max-h-[min(26rem,50dvh)]"
          crop={crop}
          aspect={aspect}
          keepSelection
          minWidth={24}
          disabled={isSending}
          onChange={(_, percent) => setCrop(percent)}
        >
          <img src={chosen.url} width={chosen.width} height={chosen.height} alt="" className="h-auto w-auto" />
        </ReactCrop>
      </div>
      <p className="text-sm text-muted">Drag the frame or its corners, or use the arrow keys.</p>
      {upload.state.kind === "refused" && <UploadProblem title={messages.uploadFailed} {...upload.state} />}
      {upload.state.kind === "sending" && <UploadProgress share={upload.state.share} />}
      <div className="flex flex-wrap justify-end gap-2.5 max-sm:*:grow">
        <Button size="s" onClick={() => (isSending ? upload.cancel() : onCancel())}>
          {isSending ? "Cancel upload" : "Cancel"}
        </Button>
        <Button size="s" variant="main" aria-disabled={isSending} onClick={save}>
          Crop and Save
        </Button>
      </div>
    </div>
  );
}

/** The image of a file, or why the browser can't decode it. */
async function openImage(file: File): Promise<ChosenImage | string> {
  const image = new Image();
  image.src = URL.createObjectURL(file);
  try {
    await image.decode();
  } catch {
    URL.revokeObjectURL(image.src);
    return uploadMessages.damagedImage;
  }
  const size = { width: image.naturalWidth, height: image.naturalHeight };
  return validateImageSize(size) ?? { file, url: image.src, ...size };
}
