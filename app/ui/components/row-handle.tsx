/** The handle that moves a row of a list, by dragging or with the arrow keys. */
export function RowHandle({ name, index, isFixed, onMove }: RowHandleProps) {
  const onKeyDown = (event: React.KeyboardEvent) => {
    const step = arrowSteps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    onMove(index + step);
  };
  return (
    <button
      type="button"
      aria-label={`Move ${name}`}
      title="Drag to move, or press the arrow keys"
      className={handleClass}
      disabled={isFixed}
      onPointerDown={(event) => startPress(event, onMove)}
      onKeyDown={onKeyDown}
    >
      <GripIcon />
    </button>
  );
}

function startPress(event: React.PointerEvent<HTMLElement>, onMove: (to: number) => void) {
  if (event.button !== 0) return;
  // Prevents text selection, but also the focus, which is set below.
  event.preventDefault();
  const { currentTarget: handle, pointerId } = event;
  const start = event.clientY + window.scrollY;
  handle.focus({ preventScroll: true });
  handle.setPointerCapture(pointerId);
  startDrag({ handle, start }, onMove);
}

type RowHandleProps = { name: string; index: number; isFixed: boolean; onMove: (to: number) => void };

const arrowSteps: Partial<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1 };

const handleClass =
  "absolute -start-3 top-2 grid size-11 touch-none place-items-center rounded-control text-muted enabled:cursor-grab " +
  "enabled:hover:text-text enabled:active:cursor-grabbing noscript:hidden";

function GripIcon() {
  return (
    <svg width="20" height="20" viewBox="0 0 20 20" fill="currentColor" aria-hidden="true">
      <path d="M6 5h2v2H6zM6 9h2v2H6zM6 13h2v2H6zM12 5h2v2h-2zM12 9h2v2h-2zM12 13h2v2h-2z" />
    </svg>
  );
}

/**
 * Drags a row of a list by its handle. Until the drop the rows keep their positions in the document and are only translated, by style
 * properties because the CSP forbids style attributes. Esc cancels.
 */
function startDrag({ handle, start }: DragStart, onDrop: (to: number) => void) {
  const row = handle.closest("li");
  const list = row?.parentElement;
  if (!row || !list) return;
  const rows = [...list.querySelectorAll<HTMLElement>(":scope > li")];
  const from = rows.indexOf(row);
  const boxes = rows.map((one) => ({ top: one.offsetTop, height: one.offsetHeight }));
  const scrolledAt = window.scrollY;
  let to = from;

  const move = (pointer: PointerEvent) => {
    row.dataset["dragged"] = "";
    // The other rows are animated while dragging, but not after the drop.
    list.dataset["dragging"] = "";
    scrollAtEdges(pointer.clientY);
    const distance = pointer.clientY + window.scrollY - start;
    to = positionAfterDrag(boxes, from, distance);
    const height = boxes[from]?.height ?? 0;
    for (const [index, one] of rows.entries()) {
      const shift = index === from ? distance : rowShift({ index, from, to }) * height;
      one.style.translate = shift === 0 ? "" : `0 ${shift}px`;
    }
  };
  const finish = (isDropped: boolean) => {
    ending.abort();
    delete row.dataset["dragged"];
    delete list.dataset["dragging"];
    for (const one of rows) one.style.translate = "";
    if (isDropped && to !== from) onDrop(to);
    else if (!isDropped) window.scrollTo({ top: scrolledAt });
  };

  const ending = new AbortController();
  const { signal } = ending;
  handle.addEventListener("pointermove", move, { signal });
  handle.addEventListener("pointerup", () => finish(true), { signal });
  handle.addEventListener("pointercancel", () => finish(false), { signal });
  handle.addEventListener("keydown", ({ key }) => key === "Escape" && finish(false), { signal });
}

/** A handle that captured the pointer, and where it was pressed in pixels from the top of the document. */
type DragStart = { handle: HTMLElement; start: number };

/** The position of a row after a move by `distance` pixels: behind each neighbor whose middle its leading edge has crossed. */
export function positionAfterDrag(
  boxes: readonly { top: number; height: number }[],
  from: number,
  distance: number,
): number {
  const own = boxes[from];
  if (!own) return from;
  const top = own.top + distance;
  const bottom = top + own.height;
  const middle = (box: { top: number; height: number }) => box.top + box.height / 2;
  const passedUp = boxes.filter((box, index) => index < from && top < middle(box)).length;
  const passedDown = boxes.filter((box, index) => index > from && bottom > middle(box)).length;
  return from - passedUp + passedDown;
}

/** Rows between the old and the new position shift by one row. */
function rowShift({ index, from, to }: { index: number; from: number; to: number }): -1 | 0 | 1 {
  if (index > from && index <= to) return -1;
  if (index < from && index >= to) return 1;
  return 0;
}

const scrollEdge = 72;

/** For lists that are longer than the screen. */
function scrollAtEdges(y: number) {
  if (y < scrollEdge) window.scrollBy({ top: -12 });
  else if (y > window.innerHeight - scrollEdge) window.scrollBy({ top: 12 });
}
