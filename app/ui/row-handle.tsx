/** Where a row of a list is grabbed: with a finger, a pen or a mouse, and with the arrow keys. */
export function RowHandle({ name, index, isFixed, onMove }: RowHandleProps) {
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
      onPointerEnter={() => void grip()}
      onPointerDown={(event) => void grab(event, onMove)}
      onKeyDown={onKeyDown}
    >
      <Grip />
    </button>
  );
}

/** Dragging comes when somebody is about to: nobody waits for it who only looks. Without a connection the arrow keys still do it. */
async function grip() {
  const [drag] = await Promise.allSettled([import("./row-drag.ts")]);
  return drag.status === "fulfilled" ? drag.value : undefined;
}

async function grab(event: React.PointerEvent<HTMLElement>, onMove: (to: number) => void) {
  if (event.button !== 0) return;
  // Keeps the browser from selecting text. It would also not focus the handle.
  event.preventDefault();
  const { currentTarget: handle, pointerId } = event;
  const start = event.clientY + window.scrollY;
  handle.focus({ preventScroll: true });
  handle.setPointerCapture(pointerId);
  const drag = await grip();
  if (handle.hasPointerCapture(pointerId)) drag?.startDrag({ handle, start }, onMove);
}

type RowHandleProps = { name: string; index: number; isFixed: boolean; onMove: (to: number) => void };

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
