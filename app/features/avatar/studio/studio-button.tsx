import { useRef, useState } from "react";

import { Button } from "#app/ui/components/button.tsx";
import { LazyPart } from "#app/ui/components/loading.tsx";

import type { AvatarOptions } from "#app/features/avatar/rules.ts";

/**
 * Opens the studio, where an avatar is generated. `name` is the first seed. Closing the studio without saving keeps its options until the
 * page is left.
 */
export function StudioButton({ name, onStored, onBusy }: StudioButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const lastOptions = useRef<AvatarOptions>(undefined);
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
        Create an avatar
      </Button>
      {isOpen && (
        <LazyPart load={loadStudio} fallback={null}>
          {({ StudioDialog, lastDrawn }) => (
            <StudioDialog
              name={name}
              start={lastOptions.current ?? lastDrawn}
              onStored={onStored}
              onBusy={onBusy}
              onClose={(options) => {
                lastOptions.current = options;
                setOpen(false);
              }}
            />
          )}
        </LazyPart>
      )}
    </>
  );
}

type StudioButtonProps = {
  name: string;
  onStored: (stored: { keyPrefix: string | null; message: string }) => void;
  /** Called with 1 when a save starts and with -1 when it ends. */
  onBusy: (by: 1 | -1) => void;
};

const loadParts = () => Promise.all([import("./studio-dialog.tsx"), import("./studio-state.ts")]);

async function loadStudio() {
  const [parts, { fetchLastDrawn }] = await loadParts();
  const lastDrawn = await fetchLastDrawn();
  return { ...parts, lastDrawn };
}

/** Loads the studio when the user points at the button. Errors show up when it is opened. */
function prefetch() {
  void Promise.allSettled([loadParts()]);
}
