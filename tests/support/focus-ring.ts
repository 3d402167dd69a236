import type { Page } from "playwright-core";

/** A place that Tab leads to: its text, its name in a group of radio buttons, and whether it is marked. */
export type FocusPlace = { place: string; group: string; ring: boolean };

/** Every place that Tab leads to, and whether it is marked there. */
export async function tabThrough(page: Page): Promise<FocusPlace[]> {
  const places: FocusPlace[] = [];
  let where = await keyboardIn(page);
  for (let presses = 0; presses < maxPresses; presses++) {
    await page.keyboard.press("Tab");
    where = await movedFrom(where, page);
    const found = await page.evaluate(focusRing);
    // What lies in a frame is another document: Tab goes through it, and for this one the frame has the focus.
    if (found?.group === frame && !found.isNew) continue;
    if (!found?.isNew) return places;
    places.push(found);
  }
  throw new Error(`The keyboard does not get out of ${places.at(-1)?.place}`);
}

/**
 * Where the keyboard is when the last Tab has been obeyed. A frame may be another process, which takes the keyboard and gives it back when
 * it comes to it, on a busy machine after seconds; pressed again before that, Tab would leave out what comes next. Where nothing can have
 * the focus nothing ever moves: after five seconds it is taken to be there.
 */
async function movedFrom(before: Keyboard, page: Page): Promise<Keyboard> {
  const deadline = performance.now() + 5_000;
  for (;;) {
    const now = await keyboardIn(page);
    const isOnTheWay =
      (now.inPage.startsWith("IFRAME") && now.inFrames.every(isNowhere)) ||
      (before.inPage.startsWith("IFRAME") && isNowhere(now.inPage));
    const hasMoved = now.inPage !== before.inPage || String(now.inFrames) !== String(before.inFrames);
    if ((hasMoved && !isOnTheWay) || performance.now() > deadline) return now;
    await page.waitForTimeout(20);
  }
}

const isNowhere = (focused: string) => focused.startsWith("BODY");

/** What has the focus in the page, and what in each of its frames. */
type Keyboard = { inPage: string; inFrames: string[] };

async function keyboardIn(page: Page): Promise<Keyboard> {
  const [inPage = "", ...inFrames] = await Promise.all(page.frames().map((one) => one.evaluate(focused)));
  return { inPage, inFrames };
}

/** The tag of what has the focus in a document, and a number that is its own as long as the document is there. */
function focused(): string {
  const counted = window as Window & { numbers?: WeakMap<Element, number>; latest?: number };
  const numbers = (counted.numbers ??= new WeakMap());
  const element = document.activeElement;
  if (!element) return "";
  const number = numbers.get(element) ?? (counted.latest = (counted.latest ?? 0) + 1);
  numbers.set(element, number);
  return `${element.tagName} ${number}`;
}

const maxPresses = 1_000;
const frame = "frame";

/** What can be pressed, chosen or typed into and is to be seen, but `tabThrough` did not get to. Of radio buttons that belong together one is enough. */
export function unreached(page: Page, places: readonly FocusPlace[]): Promise<string[]> {
  return page.evaluate(
    (groups) => {
      const { reached } = window as Walked;
      const operable =
        "a[href], button:not(:disabled), input:not(:disabled):not([type=hidden]), select, textarea, summary";
      return (
        [...document.querySelectorAll<HTMLElement>(operable)]
          .filter((element) => element.checkVisibility({ visibilityProperty: true }))
          // The second is for nobody: a trap for robots.
          .filter((element) => !element.closest("[inert], [aria-hidden=true]"))
          .filter(
            (element) =>
              !(element instanceof HTMLInputElement && element.type === "radio" && groups.includes(element.name)),
          )
          .filter((element) => !reached?.has(element))
          .map((element) => element.outerHTML.slice(0, 160))
      );
    },
    places.map(({ group }) => group),
  );
}

/** What has had the focus; the document may have changed around it meanwhile. */
type Walked = Window & { reached?: Set<Element> };

/** A ring of 2 pixels around what has the focus, in a colour that can be told from the ground (WCAG 1.4.11). */
function focusRing(): (FocusPlace & { isNew: boolean }) | undefined {
  const element = document.activeElement;
  if (!element || element === document.body) return undefined;
  const walked = window as Walked;
  const reached = (walked.reached ??= new Set());
  const isNew = !reached.has(element);
  reached.add(element);
  if (element instanceof HTMLIFrameElement) return { place: element.title, group: "frame", ring: true, isNew };
  const group = element instanceof HTMLInputElement && element.type === "radio" ? element.name : "";
  // What is drawn in place of a native control that can't be seen shows the ring for it.
  const shown = [element, element.nextElementSibling, element.parentElement].find(
    (one) => one?.checkVisibility({ opacityProperty: true }) && getComputedStyle(one).outlineStyle !== "none",
  );
  const place = element.getAttribute("aria-label") ?? element.textContent.slice(0, 40);
  if (!shown) return { place: place || element.outerHTML.slice(0, 120), group, ring: false, isNew };
  const { outlineStyle, outlineWidth, outlineColor, outlineOffset } = getComputedStyle(shown);
  const parts = (color: string) => (color.match(/[\d.]+/g) ?? []).map(Number);
  const luminance = (color: string) => {
    const scale = color.startsWith("color(") ? 1 : 255;
    const [red = 0, green = 0, blue = 0] = parts(color).map((part) => {
      const share = part / scale;
      return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const isOpaque = (color: string) => color !== "transparent" && (parts(color)[3] ?? 1) > 0.9;
  /** What is painted behind an element: the nearest colour, or the first of a gradient, that lets nothing through. */
  const groundOf = (one: Element | null): string => {
    if (!one) return "rgb(255, 255, 255)";
    const { backgroundImage, backgroundColor } = getComputedStyle(one);
    const colors = [...(backgroundImage.match(/(?:rgba?|color)\([^()]+\)/g) ?? []), backgroundColor];
    return colors.find(isOpaque) ?? groundOf(one.parentElement);
  };
  const isInside = Number.parseFloat(outlineOffset) < 0;
  const pair = [luminance(outlineColor), luminance(groundOf(isInside ? shown : shown.parentElement))];
  const contrast = (Math.max(...pair) + 0.05) / (Math.min(...pair) + 0.05);
  const ring = outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 2 && contrast >= 3;
  return { place: place || element.outerHTML.slice(0, 120), group, ring, isNew };
}
