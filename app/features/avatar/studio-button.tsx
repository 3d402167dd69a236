import { useRef, useState } from "react";

import { Button } from "#app/ui/button.tsx";
import { Late } from "#app/ui/late.tsx";

import type { AvatarOptions } from "./rules.ts";

/**
 * Opens the studio, where an avatar is drawn instead of photographed. `name` is the seed of the first face. What is set up stays when
 * the studio is closed without saving, until the page goes.
 */
export function StudioButton({ name, onStored, onBusy }: StudioButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const kept = useRef<AvatarOptions>(undefined);
  return (
    <>
      <Button
        size="s"
        className="noscript:hidden"
        aria-haspopup="dialog"
        onPointerEnter={prefetch}
        onFocus={prefetch}
        onClick={() => setOpen(true)}
      >
        Draw an avatar
      </Button>
      {isOpen && (
        <Late load={loadStudio} waiting={null}>
          {({ StudioDialog, lastDrawn }) => (
            <StudioDialog
              name={name}
              start={kept.current ?? lastDrawn}
              onStored={onStored}
              onBusy={onBusy}
              onClose={(options) => {
                kept.current = options;
                setOpen(false);
              }}
            />
          )}
        </Late>
      )}
    </>
  );
}

type StudioButtonProps = {
  name: string;
  onStored: (stored: { stem: string | null; message: string }) => void;
  /** Hears 1 when a save begins and -1 when it ended. */
  onBusy: (by: 1 | -1) => void;
};

const loadParts = () => Promise.all([import("./studio-dialog.tsx"), import("./saving.ts")]);

async function loadStudio() {
  const [parts, { fetchLastDrawn }] = await loadParts();
  const lastDrawn = await fetchLastDrawn();
  return { ...parts, lastDrawn };
}

/** Who points at the button will press it. Whether it worked is seen then. */
function prefetch() {
  void Promise.allSettled([loadParts()]);
}
