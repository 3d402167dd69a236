import { useId, useState } from "react";

import { removeFile } from "#app/features/uploads/upload-client.ts";
import { passImageUrl } from "#app/features/uploads/image-urls.ts";
import type { LibraryImage } from "#app/features/wallet/assets/library-data.server.ts";
import type { LibraryControl } from "#app/features/wallet/design/form-state.ts";
import { messages } from "#app/features/wallet/design/messages.ts";
import { Button } from "#app/ui/components/button.tsx";
import { ConfirmDialog } from "#app/ui/components/confirm-dialog.tsx";
import { Notice } from "#app/ui/components/notice.tsx";
import { Field } from "#app/ui/forms/field.tsx";

import { PickerImage } from "./background-image.tsx";

type LibraryPanelProps = {
  kind: "background" | "logo";
  /** Of both kinds. */
  images: readonly LibraryImage[];
  library: LibraryControl;
  /** "asset:<key>" */
  chosen: string;
  onChoose: (image: string) => void;
  /** Called after an image was deleted. */
  onRemoved: (key: string) => void;
};

/** The images that the owner uploaded, to search, choose and delete. */
export function LibraryPanel({ kind, images: all, library, chosen, onChoose, onRemoved }: LibraryPanelProps) {
  const id = useId();
  const [search, setSearch] = useState("");
  const [removing, setRemoving] = useState<LibraryImage>();
  const [problem, setProblem] = useState<string>();
  const [attempt, setAttempt] = useState(1);
  const [failedAttempt, setFailedAttempt] = useState(0);
  const images = all.filter((image) => image.kind === kind);
  const found = findImages(images, search);
  const retry = () => {
    setAttempt(attempt + 1);
    library.reload();
  };
  const remove = async ({ slot, keyPrefix }: LibraryImage) => {
    const response = await removeFile(slot);
    setRemoving(undefined);
    setProblem(response.kind === "refused" ? response.reason : undefined);
    if (response.kind === "done") onRemoved(keyPrefix);
  };
  const failed = (library.hasFailed || failedAttempt === attempt) && (
    <LoadNotice title={messages.libraryFailed(`${kind}s`)} onRetry={retry} />
  );
  if (images.length === 0)
    return failed || <p className="py-10 text-center text-muted">{messages.libraryEmpty(`${kind}s`)}</p>;
  return (
    <div className="grid gap-4">
      {failed}
      {images.length > 5 && (
        <Field
          id={`${id}-search`}
          label="Search"
          type="search"
          value={search}
          onChange={({ currentTarget }) => setSearch(currentTarget.value)}
        />
      )}
      {problem && (
        <Notice tone="error" title="Failed to remove image">
          {problem}
        </Notice>
      )}
      {found.length === 0 && <p className="py-6 text-center text-muted">No image has this name.</p>}
      <ul className={kind === "background" ? "grid grid-cols-2 gap-3 sm:grid-cols-3" : "grid gap-3 sm:grid-cols-2"}>
        {found.map((image) => (
          <LibraryItem
            key={`${image.slot} ${attempt}`}
            image={image}
            onError={() => setFailedAttempt(attempt)}
            isChosen={chosen === `asset:${image.keyPrefix}`}
            onChoose={() => onChoose(`asset:${image.keyPrefix}`)}
            onDelete={() => setRemoving(image)}
          />
        ))}
      </ul>
      <ConfirmDialog
        open={removing !== undefined}
        title="Delete this image?"
        text={removing ? deletionText(removing) : ""}
        confirmLabel="Delete"
        cancelLabel="Keep"
        onConfirm={() => removing && void remove(removing)}
        onCancel={() => setRemoving(undefined)}
      />
    </div>
  );
}

/** Those whose file name contains the text. */
export function findImages(images: readonly LibraryImage[], text: string): LibraryImage[] {
  return images.filter(({ filename }) => filename.toLowerCase().includes(text.trim().toLowerCase()));
}

export function deletionText({ usedBy }: LibraryImage): string {
  return usedBy > 0 ? "Passes that show it get the default instead." : "It is deleted from your library.";
}

/** On how many passes it is. */
export function usageText({ usedBy }: LibraryImage): string {
  return usedBy === 0 ? "Not used" : usedBy === 1 ? "On 1 pass" : `On ${usedBy} passes`;
}

export function LibraryThumbnail({ image, onError }: { image: LibraryImage; onError?: () => void }) {
  return (
    <PickerImage
      url={passImageUrl(image.kind, image.keyPrefix)}
      onError={onError}
      className={
        image.kind === "background"
          ? "aspect-[9/11] w-full rounded-[10px] object-cover"
          : "aspect-[16/5] w-full rounded-[10px] bg-higher object-contain"
      }
    />
  );
}

function LibraryItem({ image, isChosen, onChoose, onDelete, onError }: LibraryItemProps) {
  return (
    <li className="grid content-start gap-1 text-sm">
      <button type="button" aria-pressed={isChosen} className={choiceClass} onClick={onChoose}>
        <LibraryThumbnail image={image} onError={onError} />
        <span className="truncate" dir="auto">
          {image.filename || "Image"}
        </span>
      </button>
      <span className="flex flex-wrap items-center justify-between gap-x-2 text-muted">
        {usageText(image)}
        <Button
          size="s"
          variant="plain"
          className="whitespace-nowrap"
          aria-label={`Delete ${image.filename || "image"}`}
          onClick={onDelete}
        >
          Delete
        </Button>
      </span>
    </li>
  );
}

type LibraryItemProps = {
  image: LibraryImage;
  isChosen: boolean;
  onChoose: () => void;
  onDelete: () => void;
  onError: () => void;
};

const choiceClass =
  "grid gap-1.5 rounded-control border-2 border-transparent p-1 text-center text-muted hover:text-text aria-pressed:border-text " +
  "aria-pressed:text-text forced-colors:aria-pressed:border-[Highlight]";

/** Beside images that couldn't be loaded. */
export function LoadNotice({ title, onRetry }: { title: string; onRetry: () => void }) {
  return (
    <Notice
      tone="error"
      title={title}
      action={
        <Button size="s" onClick={onRetry}>
          Try again
        </Button>
      }
    />
  );
}
