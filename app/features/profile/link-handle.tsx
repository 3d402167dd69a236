import { startDrag } from "./link-drag.ts";

/** Where a link is grabbed: with a finger, a pen or a mouse, and with the arrow keys. */
export function LinkHandle({ name, index, isFixed, onMove }: LinkHandleProps) {
  const onKeyDown = (event: React.KeyboardEvent) => {
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    onMove(index + step);
  };
  return (
    <button
      type="button"
      aria-label={`Move ${name}`}
      title="Drag to move, or press the arrow keys"
      className={look}
      disabled={isFixed}
      onPointerDown={(event) => startDrag(event, onMove)}
      onKeyDown={onKeyDown}
    >
      <Grip />
    </button>
  );
}

type LinkHandleProps = { name: string; index: number; isFixed: boolean; onMove: (to: number) => void };

const steps: Partial<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1 };

const look =
  "absolute -start-3 top-2 grid size-11 touch-none place-items-center rounded-control text-muted enabled:cursor-grab " +
  "enabled:hover:text-text enabled:active:cursor-grabbing noscript:hidden";

function Grip() {
  return (
    <svg width="20" height="20" viewBox="0 0 20 20" fill="currentColor" aria-hidden="true">
      <path d="M6 5h2v2H6zM6 9h2v2H6zM6 13h2v2H6zM12 5h2v2h-2zM12 9h2v2h-2zM12 13h2v2h-2z" />
    </svg>
  );
}
