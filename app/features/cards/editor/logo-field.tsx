import { useId, useState } from "react";

import { messages } from "#app/features/cards/messages.ts";
import { FileButton } from "#app/features/uploads/file-button.tsx";
import { removeFile, useUpload } from "#app/features/uploads/upload-client.ts";
import { UploadProblem, UploadProgress } from "#app/features/uploads/upload-status.tsx";
import { imageTypes, validateImageFile } from "#app/features/uploads/validate-file.ts";
import { fileUrl, logoVariants } from "#app/features/uploads/image-urls.ts";
import { slotMessages } from "#app/features/uploads/messages.ts";
import { Button } from "#app/ui/components/button.tsx";
import { ConfirmDialog } from "#app/ui/components/confirm-dialog.tsx";
import type { ToastContent } from "#app/ui/components/toast.tsx";
import { FieldError } from "#app/ui/forms/field.tsx";

/** The company's logo on a card. It is uploaded as soon as it is chosen, so the card must exist. */
export function LogoField({ logo }: { logo: LogoState }) {
  const id = useId();
  const { cardId, logoKey } = logo;
  return (
    <section aria-labelledby={`${id}-title`} className="grid gap-2 text-sm">
      <h3 id={`${id}-title`} className="font-medium">
        Logo
      </h3>
      {logoKey !== null && <LogoPreview key={logoKey} logoKey={logoKey} company={logo.company} />}
      {cardId !== undefined && <LogoButtons logo={logo} slot={`logo:${cardId}`} hintId={`${id}-hint`} />}
      <p id={`${id}-hint`} className="text-muted">
        {cardId === undefined ? messages.logoNeedsCard : messages.logoHint}
      </p>
    </section>
  );
}

function LogoButtons({ logo, slot, hintId }: { logo: LogoState; slot: `logo:${string}`; hintId: string }) {
  const [file, setFile] = useState<File>();
  // Undefined until the first time. The dialog then stays mounted, so that closing it returns the focus.
  const [isRemoving, setRemoving] = useState<boolean>();
  const { state, send, cancel } = useUpload({
    onBusy: logo.onBusy,
    onStored: ({ keyPrefix, message }) => {
      logo.onChange(keyPrefix);
      logo.notify({ title: message, tone: "success" });
    },
  });
  const problem = file && validateImageFile(file);
  const upload = (chosen: File) => {
    setFile(chosen);
    if (!validateImageFile(chosen)) send(`/uploads/${slot}?${new URLSearchParams({ name: chosen.name })}`, chosen);
  };
  return (
    <>
      {!logo.isUploading && (
        <div className="flex flex-wrap items-center gap-2.5">
          <FileButton
            label={logo.logoKey === null ? "Choose a logo" : "Replace logo"}
            accept={imageTypes}
            describedBy={hintId}
            onChoose={upload}
          />
          {logo.logoKey !== null && (
            <Button
              variant="plain"
              size="s"
              className="noscript:hidden"
              aria-label="Remove logo"
              onClick={() => setRemoving(true)}
            >
              Remove
            </Button>
          )}
        </div>
      )}
      {problem && <FieldError id={`logo-${logo.cardId}`}>{problem}</FieldError>}
      {!problem && state.kind === "sending" && <UploadProgress share={state.share} onCancel={cancel} />}
      {!problem && file && state.kind === "refused" && (
        <UploadProblem title={slotMessages(slot).storeFailed} {...state} onRetry={() => upload(file)} />
      )}
      {isRemoving !== undefined && (
        <RemoveLogoDialog {...{ slot, logo }} isOpen={isRemoving} onDone={() => setRemoving(false)} />
      )}
    </>
  );
}

/** On the color of the card, where a light logo would be invisible. */
function LogoPreview({ logoKey, company }: { logoKey: string; company: string }) {
  const [isBroken, setBroken] = useState(false);
  if (isBroken) return <FieldError id={logoKey}>{messages.logoBroken}</FieldError>;
  return (
    <p className="w-fit rounded-control border border-paper-line bg-paper px-4 py-3">
      <img
        src={fileUrl(logoKey, logoVariants.webp)}
        alt={company || "Company logo"}
        width={120}
        height={40}
        className="h-10 w-30 object-contain"
        onError={() => setBroken(true)}
      />
    </p>
  );
}

type SavedLogo = {
  /** Undefined before the first save. */
  cardId: string | undefined;
  logoKey: string | null;
  /** The logo's alternative text. */
  company: string;
  notify: (toast: ToastContent) => void;
};

export type LogoState = SavedLogo & {
  isUploading: boolean;
  onChange: (logoKey: string | null) => void;
  /** 1 when an upload begins, -1 when it ends. */
  onBusy: (by: 1 | -1) => void;
};

/** The state of a card's logo, which is stored independently of the form. */
export function useLogo(saved: SavedLogo): LogoState {
  const [logoKey, setLogoKey] = useState(saved.logoKey);
  const [uploads, setUploads] = useState(0);
  const onBusy = (by: 1 | -1) => setUploads((count) => count + by);
  return { ...saved, logoKey, isUploading: uploads > 0, onChange: setLogoKey, onBusy };
}

/** Confirms and removes the logo. */
function RemoveLogoDialog({ slot, logo, isOpen, onDone }: RemoveLogoDialogProps) {
  const [isBusy, setBusy] = useState(false);
  const remove = async () => {
    setBusy(true);
    const result = await removeFile(slot);
    setBusy(false);
    onDone();
    if (result.kind === "done") {
      logo.onChange(null);
      logo.notify({ title: result.message, tone: "success" });
    } else if (result.kind === "refused") {
      const failed = slotMessages(slot).removeFailed;
      logo.notify({ title: failed, ...(result.reason !== failed && { text: result.reason }), tone: "error" });
    }
  };
  return (
    <ConfirmDialog
      open={isOpen}
      title="Remove the logo?"
      text={messages.logoRemove}
      confirmLabel="Remove"
      isBusy={isBusy}
      onConfirm={() => void remove()}
      onCancel={onDone}
    />
  );
}

type RemoveLogoDialogProps = { slot: `logo:${string}`; logo: LogoState; isOpen: boolean; onDone: () => void };
