import type { LibraryImage } from "#app/features/wallet/assets/library-data.server.ts";
import { Button } from "#app/ui/components/button.tsx";
import { Panel } from "#app/ui/components/panel.tsx";
import { Field } from "#app/ui/forms/field.tsx";

import { deletionText, findImages, LibraryThumbnail, usageText } from "./library-panel.tsx";

type LibrarySectionProps = { cardId: string; library: readonly LibraryImage[]; search: string };

/** The library where there is no script for the pickers: to search and delete. It has forms of its own. */
export function LibrarySection({ cardId, library, search }: LibrarySectionProps) {
  if (library.length === 0) return null;
  const found = findImages(library, search);
  return (
    <div className="hidden noscript:block">
      <Panel title="My Library" id="library">
        <form action={`/cards/${cardId}/pass#library`} className="mb-5 flex flex-wrap items-end gap-2.5">
          <div className="min-w-0 flex-1 basis-48">
            <Field id="library-search" label="Search" type="search" name="library" defaultValue={search} />
          </div>
          <Button type="submit">Search</Button>
        </form>
        {found.length === 0 && <p className="text-muted">No image has this name.</p>}
        <ul className="grid grid-cols-2 gap-x-3 gap-y-5 sm:grid-cols-3">
          {found.map((image) => (
            <li key={image.slot} className="grid content-start gap-1.5 text-sm">
              <LibraryThumbnail image={image} />
              <span className="truncate" dir="auto">
                {image.filename || "Image"}
              </span>
              <span className="text-muted">{usageText(image)}</span>
              <details>
                <summary
                  aria-label={`Delete ${image.filename || "image"}`}
                  className="flex min-h-11 cursor-pointer items-center font-semibold"
                >
                  Delete
                </summary>
                <form method="post" action={`/uploads/${image.slot}/remove`} className="grid gap-2.5">
                  <p className="text-muted">{deletionText(image)}</p>
                  <Button type="submit" size="s" variant="danger">
                    Delete this image
                  </Button>
                </form>
              </details>
            </li>
          ))}
        </ul>
      </Panel>
    </div>
  );
}
