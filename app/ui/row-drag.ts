/**
 * Drags a row of a list by its handle, with a finger, a pen or a mouse. The rows keep their places in the document until the end;
 * meanwhile the browser draws them elsewhere, by style properties (a style attribute is what the CSP forbids). Esc gives up.
 */
export function startDrag({ handle, start }: Press, onDrop: (to: number) => void) {
  const row = handle.closest("li");
  const list = row?.parentElement;
  if (!row || !list) return;
  const rows = [...list.querySelectorAll<HTMLElement>(":scope > li")];
  const from = rows.indexOf(row);
  const places = rows.map((one) => ({ top: one.offsetTop, height: one.offsetHeight }));
  const scrolledAt = window.scrollY;
  let to = from;

  const move = (pointer: PointerEvent) => {
    row.dataset["dragged"] = "";
    // Rows glide while they make room, and only then: after the drop they stand where they were drawn.
    list.dataset["dragging"] = "";
    scrollAtEdges(pointer.clientY);
    const distance = pointer.clientY + window.scrollY - start;
    to = placeAfter(places, from, distance);
    const height = places[from]?.height ?? 0;
    for (const [index, one] of rows.entries()) {
      const shift = index === from ? distance : shiftOf({ index, from, to }) * height;
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

/** A handle that holds the pointer, and where it was pressed: pixels from the top of the document. */
export type Press = { handle: HTMLElement; start: number };

/** The place of a row that was moved by `distance` pixels: past each neighbour whose middle its own leading edge has crossed. */
export function placeAfter(places: readonly { top: number; height: number }[], from: number, distance: number): number {
  const own = places[from];
  if (!own) return from;
  const top = own.top + distance;
  const bottom = top + own.height;
  const middle = (place: { top: number; height: number }) => place.top + place.height / 2;
  const passedUp = places.filter((place, index) => index < from && top < middle(place)).length;
  const passedDown = places.filter((place, index) => index > from && bottom > middle(place)).length;
  return from - passedUp + passedDown;
}

/** Rows between the old and the new place make room by one row. */
function shiftOf({ index, from, to }: { index: number; from: number; to: number }): -1 | 0 | 1 {
  if (index > from && index <= to) return -1;
  if (index < from && index >= to) return 1;
  return 0;
}

const edge = 72;

/** A list may be longer than a phone's screen. */
function scrollAtEdges(y: number) {
  if (y < edge) window.scrollBy({ top: -12 });
  else if (y > window.innerHeight - edge) window.scrollBy({ top: 12 });
}
