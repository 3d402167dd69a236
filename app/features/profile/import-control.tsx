import { Late } from "#app/ui/late.tsx";
import { Button } from "#app/ui/button.tsx";
import { Skeleton } from "#app/ui/skeleton.tsx";

import type { Edit, Editing } from "./editing.ts";

/** The quiet way to links that are elsewhere already; stands beside the one to a new link. */
export function ImportButton({ isOpen, onToggle }: { isOpen: boolean; onToggle: () => void }) {
  return (
    <Button
      id={importId}
      variant="plain"
      size="s"
      className="noscript:hidden"
      aria-expanded={isOpen}
      aria-label="Import links from a file"
      onClick={onToggle}
    >
      Import
    </Button>
  );
}

/** Where the file is chosen and what became of it is told. What does the work is loaded when it is opened. */
export function ImportPlace({ editing, dispatch, isFixed, onClose }: ImportPlaceProps) {
  const close = () => {
    // It is there again unless the list is full.
    document.getElementById(importId)?.focus();
    onClose();
  };
  return (
    <Late load={loadImport} waiting={<Skeleton className="mt-4 h-32" />}>
      {({ ImportLinks }) => (
        <ImportLinks
          links={editing.draft.links}
          isFixed={isFixed}
          onAdd={(links) => links.forEach((link) => dispatch({ kind: "add", link }))}
          onClose={close}
        />
      )}
    </Late>
  );
}

type ImportPlaceProps = { editing: Editing; dispatch: (edit: Edit) => void; isFixed: boolean; onClose: () => void };

const loadImport = () => import("./import-links.tsx");
const importId = "import-links";
